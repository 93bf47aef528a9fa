// Package packs serves decisions and their evidence packs: drafting, signing off, exporting, holding and purging them.
package packs

import "sanad/internal/handlers/web"

// server answers the requests of this capability.
type server struct {
	*web.Server

	traceViewer string // address of a trace in the operator's viewer, with {trace_id}; "" if none
	seals       seals
}
