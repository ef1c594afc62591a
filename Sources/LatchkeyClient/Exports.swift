// SPDX-License-Identifier: Apache-2.0

// One import gives an app everything: the rooms are walls for those who build the library, not for those who use it.
@_exported import AuthTypes
@_exported import ClientSession
@_exported import ClientStorage
@_exported import CognitoClient
@_exported import FirebaseClient
@_exported import OpenIDClient
@_exported import SupabaseClient
