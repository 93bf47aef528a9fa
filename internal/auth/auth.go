// Package auth is what a login needs and no rule of the product: password hashes, one-time codes, secrets, the slow-down
// after failures, and the OpenID Connect client (rules SEC-2, SEC-3 and SEC-14).
package auth
