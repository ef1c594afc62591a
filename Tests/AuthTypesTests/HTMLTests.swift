// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite struct HTMLTests {
    @Test(
        "R11.4 what is put into markup is text, in elements and in attributes, and pieces of markup stay what they are")
    func escaping() {
        let name = #"<b>"&'"#
        let piece: HTML = #"<a title="\#(name)">\#(name)</a>"#
        #expect(piece.text == #"<a title="&lt;b&gt;&quot;&amp;&#39;">&lt;b&gt;&quot;&amp;&#39;</a>"#)
        let none: HTML? = nil
        #expect(("<p>\(piece)\(none)</p>" as HTML).text == "<p>\(piece.text)</p>")
        #expect(("\([piece, "x"] as [HTML])" as HTML).text == piece.text + "\nx")
        #expect(HTML("<" as String).text == "&lt;")
    }
}
