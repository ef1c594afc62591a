// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// The one style of all pages, in the colours of one Directory. It stands in the page itself, named by its hash in the
/// page's policy (CSP Level 3, section 8.3): a page that a gateway lets through needs nothing else of this server.
struct PageStyle: Sendable {
    let text: String
    /// SHA-256, in Base64.
    let hash: String

    /// Directories are few, and most of them have the same colours.
    private static let remembered = Mutex<[[PagePalette]: PageStyle]>([:])
    private static let capacity = 64

    static func style(of brand: PageBrand) -> PageStyle {
        let key = [brand.light, brand.dark]
        if let style = remembered.withLock({ $0[key] }) { return style }
        let style = PageStyle(brand)
        remembered.withLock {
            if $0.count >= capacity { $0 = [:] }
            $0[key] = style
        }
        return style
    }

    private init(_ brand: PageBrand) {
        text = Self.colours(brand) + Self.rules
        hash = Base64.encode(Array(SHA256.hash(data: Array(text.utf8))))
    }

    private static func colours(_ brand: PageBrand) -> String {
        func chosen(_ palette: PagePalette) -> String {
            "--paper:\(palette.paper);--wash:\(palette.background);--dim:\(palette.dim);--accent:\(palette.accent);"
                + "--on:\(palette.onAccent)"
        }
        return """
            :root{color-scheme:light dark;\(chosen(brand.light));--ink:#161a20;--line:#d8dee6;--edge:#76808f;\
            --bad:#a4161a;--bad-wash:#fdf1f0;--good:#12633a;--good-wash:#edf8f1}
            @media(prefers-color-scheme:dark){:root{\(chosen(brand.dark));--ink:#e9ecf1;--line:#2d343e;--edge:#7d8897;\
            --bad:#ffb3ac;--bad-wash:#35191a;--good:#8fdcab;--good-wash:#14291c}}

            """
    }

    private static let rules = """
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;\
        gap:1.25rem;padding:2rem 1rem;background:var(--wash);color:var(--ink);\
        font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
        main{width:100%;max-width:27rem;padding:2.25rem;background:var(--paper);border:1px solid var(--line);\
        border-radius:1rem;box-shadow:0 1px 2px #0000000a,0 8px 28px #0000000d}
        main.wide{max-width:38rem}
        .brand{display:flex;align-items:center;gap:.7rem;margin:0 0 1.75rem;font-weight:600;overflow-wrap:anywhere}
        .brand img{max-width:10rem}
        .mark{flex:none;width:2.25rem;height:2.25rem;border-radius:.6rem;background:var(--accent);color:var(--on);\
        display:grid;place-items:center;font-size:1.15rem}
        h1{font-size:1.6rem;line-height:1.25;font-weight:650;letter-spacing:-.01em;margin:0 0 .35rem;\
        overflow-wrap:anywhere}
        h2{font-size:1.05rem;margin:2rem 0 .5rem}
        p{margin:0 0 1rem;overflow-wrap:anywhere}
        .lead{color:var(--dim);margin:0 0 1.5rem}.lead:has(+.lead){margin:0 0 .5rem}
        .name{display:inline-block;max-width:100%;vertical-align:bottom;font-weight:600;overflow-wrap:anywhere}\
        .lead .name{color:var(--ink)}
        .note{color:var(--dim);font-size:.9rem;margin:1.25rem 0 0}
        form{margin:1.5rem 0 0}.lead+form,.notice+form{margin-top:0}
        h1+.notice,h1+form{margin-top:1.25rem}
        .field{margin:0 0 1.1rem}
        label{display:block;font-weight:600;font-size:.925rem;margin:0 0 .35rem}
        .hint{display:block;color:var(--dim);font-size:.875rem;margin:.35rem 0 0}
        input,select{font:inherit;width:100%;min-height:2.875rem;padding:.5rem .8rem;border:1px solid var(--edge);\
        border-radius:.6rem;background:var(--paper);color:var(--ink)}
        .code{font-size:1.35rem;letter-spacing:.3em;font-variant-numeric:tabular-nums}
        input[aria-invalid]{border:2px solid var(--bad)}
        input[hidden]{display:none}
        .check{display:flex;gap:.6rem;align-items:flex-start;font-weight:400;min-height:1.5rem;margin:0 0 1.1rem}
        .check input{width:1.25rem;min-height:1.25rem;height:1.25rem;margin:.1rem 0 0;flex:none;\
        accent-color:var(--accent)}
        button,.button{display:block;width:100%;font:inherit;font-weight:600;min-height:2.875rem;padding:.6rem 1.2rem;\
        border:1px solid var(--accent);border-radius:.6rem;background:var(--accent);color:var(--on);cursor:pointer;\
        text-align:center;text-decoration:none}
        button:hover,.button:hover{filter:brightness(1.07)}
        button.quiet,.button.quiet{background:transparent;color:var(--accent)}
        button.grave{background:var(--bad);border-color:var(--bad);color:var(--paper)}
        button.plain{display:inline;width:auto;min-height:1.75rem;padding:.15rem 0;border:0;background:none;\
        color:var(--accent);font-weight:400;text-decoration:underline;text-underline-offset:.15em}
        button.small,.button.small{width:auto;white-space:nowrap;min-height:2.25rem;padding:.3rem .9rem;font-size:.9rem;flex:none}
        .pair{display:grid;gap:.75rem;margin:1.5rem 0 0}
        a{color:var(--accent);text-underline-offset:.15em}
        .beside{margin:-.35rem 0 1.1rem;font-size:.925rem}
        .below{margin:1.5rem 0 0;padding:1.25rem 0 0;border-top:1px solid var(--line)}
        .below p{margin:0}.below p+p{margin-top:.6rem}
        .notice{margin:0 0 1.5rem;padding:.8rem 1rem;border-radius:.6rem;background:var(--good-wash);\
        color:var(--good)}
        .notice.bad{background:var(--bad-wash);color:var(--bad)}
        .notice p{margin:0}.notice p+p{margin:.35rem 0 0}.notice a{color:inherit}
        .passkey{margin:.75rem 0 0}.passkey .refusal:empty{display:none}.passkey [aria-busy]{opacity:.7}
        .without{margin:0 0 1rem}
        .row{display:flex;flex-wrap:wrap;gap:.5rem;flex:none}
        .refusal{display:block;color:var(--bad);font-size:.9rem;margin:.35rem 0 0}
        ul.plain{list-style:none;margin:0;padding:0}
        ul.plain li{display:flex;gap:1rem;align-items:center;justify-content:space-between;padding:.85rem 0;\
        border-top:1px solid var(--line)}
        ul.plain li:first-child{border-top:0}
        ul.plain li>div:first-child{flex:1 1 12rem}ul.plain+p{margin-top:1rem}
        ul.plain form{margin:0}ul.plain div{min-width:0;overflow-wrap:anywhere}ul.plain small{display:block;\
        color:var(--dim);font-size:.875rem}
        ol.codes{columns:12rem 2;list-style:none;margin:0 0 1.5rem;padding:1rem 1.25rem;background:var(--wash);\
        border-radius:.6rem;font:1rem/2 ui-monospace,Menlo,Consolas,monospace}
        .qr{display:block;width:100%;max-width:15rem;height:auto;margin:0 auto 1.25rem;border-radius:.6rem}
        .key{padding:.6rem 1rem;background:var(--wash);border-radius:.6rem;\
        font:1.05rem/1.6 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
        ul.ticks{margin:0 0 1.5rem;padding:0 0 0 1.25rem}ul.ticks li{margin:0 0 .4rem}
        footer{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;justify-content:center;font-size:.875rem;\
        color:var(--dim);max-width:100%}
        footer p{flex-basis:100%;margin:0;text-align:center}
        footer a,footer span{display:inline-block;min-height:1.75rem;line-height:1.75rem;color:var(--dim)}
        footer [aria-current]{font-weight:600}
        a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
        h1:focus{outline:none}
        @media(max-width:30rem){body{background:var(--paper);padding:0 0 1.5rem;justify-content:flex-start}\
        main{border:0;border-radius:0;box-shadow:none;padding:1.75rem 1.25rem}\
        ul.plain li{flex-wrap:wrap}footer{padding:0 1.25rem}}
        @media(forced-colors:active){button,.button,.mark{border:1px solid}}

        """
}
