// SPDX-License-Identifier: Apache-2.0

extension QRCode {
    /// An SVG image of its own (SVG 1.1), which scales to any size. It has neither a hash nor a percent sign nor a line
    /// break, so that it stands in a `data:` URL as it is.
    ///
    /// - Parameter moduleSize: pixels of a module where nobody scales it.
    public func svg(moduleSize: Int = 5) -> String {
        let side = width + 2 * Self.margin
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                guard isDark(column, row) else {
                    column += 1
                    continue
                }
                let start = column
                while isDark(column, row) { column += 1 }
                path += "M\(start + Self.margin) \(row + Self.margin)h\(column - start)v1h-\(column - start)z"
            }
        }
        let pixels = side * min(max(moduleSize, 1), 32)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(pixels)" height="\(pixels)" \
            viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
            <rect width="\(side)" height="\(side)" fill="white"/><path d="\(path)" fill="black"/></svg>
            """
    }
}
