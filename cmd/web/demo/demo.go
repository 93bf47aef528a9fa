// Package demo holds the example sessions that `sanad demo` imports, in the format sanad.session/v1.
package demo

import (
	"embed"
	"encoding/json"
	"slices"
	"sync"

	"sanad/internal/app"
)

// FS holds the example sessions.
//
//go:embed *.json logo.svg
var FS embed.FS

// Files lists the example sessions in the order in which they are imported.
var Files = []string{Guide, "procurement-ar.json", "vendor-review.json"}

// Logo is that of the demo's organisation.
const Logo = "logo.svg"

// Guide is the session of the guided tour: small, with a claim to confirm and, the third one, a claim to override.
const Guide = "leave-policy.json"

// Judgement is what the shipped judge says of the demo's claims. It is stored, so that the demo starts without reading.
type Judgement struct {
	Verdicts map[string][]string `json:"verdicts"` // of each file's claims, in their order; "" if unjudged
	Answers  *app.Answers        `json:"answers"`  // of the reader, which the verdicts come from
}

// Judged returns the stored judgement. It is made again by Renew after every change of the weights.
var Judged = sync.OnceValue(func() *Judgement {
	data, err := FS.ReadFile(JudgedFile)
	out := &Judgement{}
	if err == nil {
		err = json.Unmarshal(data, out)
	}
	if err != nil {
		panic("demo: " + err.Error() + ": run " + Renew)
	}
	return out
})

// JudgedFile has the stored judgement.
const JudgedFile = "judged.json"

// Renew is the command that makes JudgedFile again, and the figures of docs/judge.md about the demo.
const Renew = "go test ./internal/reader/weights -run TestDemo -update"

// Judges are the files whose claims are judged when the demo starts.
func Judges() []string {
	out := slices.Clone(Files)
	for _, name := range Decisions {
		if name != missing {
			out = append(out, ledgerOf(name))
		}
	}
	return out
}
