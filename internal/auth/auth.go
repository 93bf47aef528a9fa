// Package auth provides the mechanisms of logging in, which are not rules of the product: password hashes, one-time
// codes, secrets, the delay after failures, and the OpenID Connect client (rules SEC-2, SEC-3 and SEC-14).
package auth
