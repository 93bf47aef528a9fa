// Package demo holds the example sessions that `sanad demo` imports, in the format sanad.session/v1.
package demo

import "embed"

// FS holds the example sessions.
//
//go:embed *.json
var FS embed.FS

// Files lists the example sessions in the order in which they are imported.
var Files = []string{Guide, "procurement-ar.json", "vendor-review.json"}

// Guide is the session of the guided tour: small, with a claim to confirm and, the third one, a claim to override.
const Guide = "leave-policy.json"
