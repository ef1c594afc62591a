// SPDX-License-Identifier: Apache-2.0

extension Sequence<String> {
    /// Whether one of them is `text`, octet by octet. `==` takes texts for the same that Unicode calls canonically
    /// equivalent, such as K and the Kelvin sign: who compares what goes somewhere else afterwards must not.
    package func containsOctets(of text: String) -> Bool { contains { $0.utf8.elementsEqual(text.utf8) } }
}
