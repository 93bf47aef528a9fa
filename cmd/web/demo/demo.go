// Package demo holds the example sessions that `web demo` seeds, in our own format sanad.session/v1.
package demo

import "embed"

// FS holds the example sessions.
//
//go:embed *.json
var FS embed.FS

// Files lists the example sessions in the order in which they are imported.
var Files = []string{"leave-policy.json", "procurement-ar.json", "vendor-review.json"}
