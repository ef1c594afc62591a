// SPDX-License-Identifier: Apache-2.0

/// The frame of every development page: plain, readable, light or dark as the reader's system is.
enum PageLayout {
    static let template = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>{{title}} · Latchkey</title>
        <style>{{{style}}}</style>
        </head>
        <body>
        <header><a class="brand" href="/dev">Latchkey</a>
        <nav aria-label="Development"><a href="/dev">Settings</a> <a href="/dev/mail">Mail</a></nav>
        <span class="badge">development</span></header>
        <main>{{{content}}}</main>
        </body>
        </html>
        """

    static let style = """
        :root { color-scheme: light dark; --ink: #1c2330; --dim: #5d6879; --line: #dde2ea; --paper: #ffffff;
          --wash: #f5f7fa; --accent: #1d5fd1; --mark: #8a4b00; --mark-wash: #fff3e0; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e7ebf2; --dim: #9aa6b8; --line: #2f3846; --paper: #141920;
          --wash: #1c232d; --accent: #7fb0ff; --mark: #ffcf8f; --mark-wash: #3a2a12; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--wash); color: var(--ink);
          font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
        header { display: flex; gap: 1.5rem; align-items: center; padding: .8rem 1.5rem; background: var(--paper);
          border-bottom: 1px solid var(--line); }
        header .brand { font-weight: 700; color: var(--ink); text-decoration: none; }
        header nav a { margin-right: 1rem; }
        .badge { margin-left: auto; font-size: .8rem; padding: .1rem .6rem; border-radius: 1rem; color: var(--mark);
          background: var(--mark-wash); }
        main { max-width: 60rem; margin: 2rem auto; padding: 0 1.5rem; }
        h1 { font-size: 1.5rem; margin: 0 0 .5rem; } h2 { font-size: 1.1rem; margin: 0 0 .8rem; }
        p.link { margin: .8rem 0 0; }
        p.lead { color: var(--dim); margin: 0 0 1.5rem; }
        section { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; padding: 1.2rem 1.4rem;
          margin-bottom: 1.2rem; }
        dl { display: grid; grid-template-columns: 11rem 1fr; gap: .4rem 1rem; margin: 0; }
        dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
        code, pre { font: .9rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
        dd code { user-select: all; }
        pre { background: var(--wash); border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem;
          overflow-x: auto; margin: .3rem 0 0; }
        figure { margin: 1rem 0 0; } figcaption { color: var(--dim); font-size: .9rem; }
        a { color: var(--accent); }
        .whole, .whole code { white-space: nowrap; }
        table { width: 100%; border-collapse: collapse; } th { text-align: left; color: var(--dim); font-weight: 500; }
        th, td { padding: .5rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top;
          overflow-wrap: anywhere; }
        tr:last-child td { border-bottom: 0; }
        iframe { width: 100%; height: 32rem; border: 1px solid var(--line); border-radius: .4rem; background: #fff; }
        .empty { color: var(--dim); }
        @media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dt { margin-top: .4rem; } }
        """
}
