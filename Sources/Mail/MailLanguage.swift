// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A language that mails are written in.
public typealias MailLanguage = MessageLanguage
