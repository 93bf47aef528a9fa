// Package demo holds the example sessions that `sanad demo` seeds, in our own format sanad.session/v1.
package demo

import "embed"

// FS holds the example sessions.
//
//go:embed *.json
var FS embed.FS

// Files lists the example sessions in the order in which they are imported.
var Files = []string{Guide, "procurement-ar.json", "vendor-review.json"}

// Guide is the session that newcomers are led through: small, with a claim to confirm and, the third, one to override.
const Guide = "leave-policy.json"
