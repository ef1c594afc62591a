// SPDX-License-Identifier: Apache-2.0

/// The words of one kind of mail in one language, in mustache: the frame around them is the same for all.
struct MailText: Sendable {
    var subject: String
    var heading: String
    var paragraphs: [String]
    /// The label of the button that opens the link; `nil` where there is no link.
    var button: String?
    /// The sentence above the code; `nil` where no code is shown.
    var code: String?
    /// What to do if the reader did not ask for this.
    var footer: String
}
