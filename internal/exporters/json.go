package exporters

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gowebpki/jcs"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// ledgerJSON is the JSON export: first the names of rule L-22 in their order, then Sanad's own.
type ledgerJSON struct {
	LedgerID    string      `json:"ledger_id"`
	SessionID   string      `json:"session_id"`
	GeneratedAt string      `json:"generated_at"` // the ledger's updated_at, RFC 3339 in UTC
	Summary     summaryJSON `json:"summary"`
	Entries     []entryJSON `json:"entries"`
	RiskFlags   []riskJSON  `json:"risk_flags"`
	Questions   []string    `json:"follow_up_questions"`
	Actions     []string    `json:"recommended_actions"`
	Sanad       sanadJSON   `json:"sanad"` // what an import needs to restore the ledger
}

type summaryJSON struct {
	Total        int              `json:"total_claims"`
	Coverage     float64          `json:"evidence_coverage"`
	ByVerdict    byVerdictJSON    `json:"by_verdict"`
	ByImportance byImportanceJSON `json:"by_importance"`
	Unsupported  float64          `json:"unsupported_rate"`
	Unjudged     int              `json:"unjudged"`
	Overridden   int              `json:"overridden"`
	Reviewed     int              `json:"reviewed"`
	Uncited      int              `json:"uncited"`
	Stale        int              `json:"stale,omitempty"`
	NotClaims    int              `json:"not_claims,omitempty"` // that a person said are none; no other figure counts them
	Replaced     int              `json:"replaced,omitempty"`   // that others came in the place of, likewise
}

type byVerdictJSON struct {
	Supported    int `json:"supported"`
	Weak         int `json:"weak"`
	Contradicted int `json:"contradicted"`
	NotFound     int `json:"not_found"`
}

type byImportanceJSON struct {
	Critical int `json:"critical"`
	Material int `json:"material"`
	Minor    int `json:"minor"`
}

type entryJSON struct {
	ClaimID        string             `json:"claim_id"`
	ClaimText      string             `json:"claim_text"`
	ClaimType      ledger.ClaimType   `json:"claim_type"`
	Importance     ledger.Importance  `json:"importance"`
	Verdict        *ledger.Verdict    `json:"verdict"` // null if unjudged
	Confidence     float64            `json:"confidence_score"`
	Evidence       evidenceJSON       `json:"evidence"`
	Notes          string             `json:"notes"`
	State          ledger.ReviewState `json:"state"`
	MachineVerdict *ledger.Verdict    `json:"machine_verdict,omitempty"` // if a reviewer's verdict replaced it
	Unjudged       string             `json:"unjudged,omitempty"`        // why no judge could judge it
	Uncited        bool               `json:"uncited,omitempty"`
	Stale          bool               `json:"stale,omitempty"` // the deciding review was made of an earlier judgement
	Strength       *strengthJSON      `json:"evidence_strength,omitempty"`
	Flags          []ledger.RiskType  `json:"flags,omitempty"`
	*entryChecks                      // nil of a session of the first rule set
}

type evidenceJSON struct {
	ChunkIDs []string    `json:"chunk_ids"` // chunk hashes of 8 digits
	Snippet  string      `json:"snippet"`
	Source   *sourceJSON `json:"source"` // null without evidence
}

type sourceJSON struct {
	DocumentID  string   `json:"document_id"`
	Filename    string   `json:"filename"`
	Page        int      `json:"page_number,omitempty"`
	HeadingPath []string `json:"heading_path,omitempty"`
	Scanned     bool     `json:"scanned,omitempty"` // the passage was read from a picture
}

type strengthJSON struct {
	Score      float64         `json:"score"`
	Components ledger.Strength `json:"components"`
}

type riskJSON struct {
	Type        ledger.RiskType `json:"type"`
	Severity    ledger.Severity `json:"severity"`
	Description string          `json:"description"`
	Affected    []string        `json:"affected_claims"`
	Mitigation  string          `json:"mitigation"`
}

// JSON writes the ledger as rule L-22 defines it, plus the key sanad, from which importers.Read restores an equal
// ledger. It holds one claim or document at a time.
func JSON(w io.Writer, l *ledger.Ledger) error {
	sign, err := SignedJSON(w, l)
	if err != nil {
		return err
	}
	return sign(w, nil)
}

// SignedJSON writes JSON up to the field sanad.signature, which stands last, and returns what writes the rest.
func SignedJSON(w io.Writer, l *ledger.Ledger) (sign func(io.Writer, *pack.Envelope) error, err error) {
	frame := newLedgerJSON(l)
	data, err := encodeJSON(frame, "", "  ")
	if err != nil {
		return nil, err
	}
	rest, err := writeLists(w, l, data, shownLists, func(v any, depth int) ([]byte, error) {
		return encodeJSON(v, strings.Repeat("  ", depth), "  ")
	})
	return func(w io.Writer, signature *pack.Envelope) error {
		if frame.Sanad.Signature = signature; signature != nil {
			signed, err := encodeJSON(frame, "", "  ")
			if err != nil {
				return err
			}
			rest = signed[len(data)-len(rest):]
		}
		_, err := w.Write(rest)
		return err
	}, err
}

// jsonList is a list of the export that grows with the session. The frame of the export has it empty.
type jsonList struct {
	begins string // how it begins in the frame, which has this text nowhere before
	depth  int    // of its elements
	each   func(l *ledger.Ledger, add func(v any) error) error
}

// The lists in the order in which the export has them, and in that of its RFC 8785 form.
var (
	shownLists = []jsonList{{`"entries": [`, 2, eachEntry}, {`"documents": [`, 3, eachDocument}, {`"claims": [`, 3, eachClaim}}
	canonLists = []jsonList{{`{"entries":[`, 0, eachEntry}, {`"sanad":{"claims":[`, 0, eachClaim},
		{`],"documents":[`, 0, eachDocument}}
)

func eachEntry(l *ledger.Ledger, add func(v any) error) error {
	return l.EachFinding(func(e *ledger.Entry) error { return add(newEntryJSON(e, l.Session)) })
}

func eachDocument(l *ledger.Ledger, add func(v any) error) error {
	for i := range l.Session.Documents {
		if err := add(newDocumentJSON(&l.Session.Documents[i])); err != nil {
			return err
		}
	}
	return nil
}

func eachClaim(l *ledger.Ledger, add func(v any) error) error {
	return l.EachClaim(func(c *ledger.Claim) error { return add(newClaimJSON(c, l.Session)) })
}

// writeLists writes a frame up to the last of its lists, with their elements, and returns what is left of the frame.
// Elements of depth 0 stand on one line.
func writeLists(w io.Writer, l *ledger.Ledger, frame []byte, lists []jsonList,
	encode func(v any, depth int) ([]byte, error)) (rest []byte, err error) {
	for _, list := range lists {
		end := bytes.Index(frame, []byte(list.begins)) + len(list.begins)
		if _, err := w.Write(frame[:end]); err != nil {
			return nil, err
		}
		frame = frame[end:]
		before, after := "", ""
		if list.depth > 0 {
			before, after = "\n"+strings.Repeat("  ", list.depth), "\n"+strings.Repeat("  ", list.depth-1)
		}
		n := 0
		err := list.each(l, func(v any) error {
			data, err := encode(v, list.depth)
			if err != nil {
				return err
			}
			if _, err := io.WriteString(w, ","[:min(n, 1)]+before); err != nil {
				return err
			}
			n++
			_, err = w.Write(bytes.TrimSuffix(data, []byte("\n")))
			return err
		})
		if err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, after[:len(after)*min(n, 1)]); err != nil {
			return nil, err
		}
	}
	return frame, nil
}

func encodeJSON(v any, prefix, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, indent)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// canonicalJSON returns the RFC 8785 form of a value.
func canonicalJSON(v any) ([]byte, error) {
	data, err := encodeJSON(v, "", "")
	if err != nil {
		return nil, err
	}
	return jcs.Transform(data)
}

// Digest returns the ledger's digest: the SHA-256 (hex) of the RFC 8785 form of its JSON export. It fails only if the
// session holds extra fields that are not JSON, or claims cannot be read.
func Digest(l *ledger.Ledger) (string, error) {
	frame, err := canonicalJSON(newLedgerJSON(l))
	if err != nil {
		return "", fmt.Errorf("exporters.Digest: %w", err)
	}
	sum := sha256.New()
	rest, err := writeLists(sum, l, frame, canonLists, func(v any, _ int) ([]byte, error) { return canonicalJSON(v) })
	if err != nil {
		return "", fmt.Errorf("exporters.Digest: %w", err)
	}
	sum.Write(rest)
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// newLedgerJSON returns the frame of the export: all but its entries, documents and claims.
func newLedgerJSON(l *ledger.Ledger) *ledgerJSON {
	out := &ledgerJSON{
		LedgerID: l.Session.LedgerID, SessionID: l.Session.ID, GeneratedAt: stamp(l.Session.UpdatedAt),
		Summary: newSummaryJSON(&l.Summary), Entries: []entryJSON{}, RiskFlags: make([]riskJSON, len(l.Flags)),
		Questions: advice(l.FollowUps()), Actions: advice(l.Actions()), Sanad: newSanadJSON(l.Session),
	}
	for i, f := range l.Flags {
		out.RiskFlags[i] = riskJSON{
			Type: f.Type, Severity: f.Severity, Description: f.Description(), Affected: flagClaims(f),
			Mitigation: f.Mitigation(),
		}
	}
	return out
}

func newSummaryJSON(s *ledger.Summary) summaryJSON {
	return summaryJSON{
		Total: s.Total, Coverage: s.Coverage, Unsupported: s.Unsupported,
		ByVerdict: byVerdictJSON{Supported: s.ByVerdict[ledger.Supported], Weak: s.ByVerdict[ledger.Weak],
			Contradicted: s.ByVerdict[ledger.Contradicted], NotFound: s.ByVerdict[ledger.NotFound]},
		ByImportance: byImportanceJSON{s.ByImportance[ledger.Critical], s.ByImportance[ledger.Material],
			s.ByImportance[ledger.Minor]},
		Unjudged: s.Unjudged, Overridden: s.Overridden, Reviewed: s.Reviewed, Uncited: s.Uncited, Stale: s.Stale,
		NotClaims: s.NotClaims, Replaced: s.Replaced,
	}
}

func newEntryJSON(e *ledger.Entry, s *ledger.Session) entryJSON {
	out := entryJSON{
		ClaimID: e.Claim.Key, ClaimText: e.Claim.Text, ClaimType: e.Type, Importance: e.Importance,
		Verdict: verdict(e.Verdict), Confidence: e.Confidence, Notes: e.Notes(), State: e.State,
		Evidence: evidenceJSON{ChunkIDs: chunkHashes(e, s)},
		Unjudged: e.Claim.Unjudged, Uncited: e.Uncited, Stale: e.Stale, Strength: strength(e), Flags: e.Flags,
	}
	if s.ChecksAnswer() {
		out.entryChecks = newEntryChecks(e, s)
	}
	if e.Override {
		out.MachineVerdict = verdict(e.Machine)
	}
	if e.Best != nil {
		out.Evidence.Snippet = e.Best.Snippet
	}
	if e.Document != nil {
		out.Evidence.Source = &sourceJSON{DocumentID: e.Document.Key, Filename: e.Document.Filename}
		if e.Chunk != nil {
			out.Evidence.Source.Page, out.Evidence.Source.HeadingPath = e.Chunk.Page, e.Chunk.HeadingPath
			out.Evidence.Source.Scanned = e.Chunk.Scanned
		}
	}
	return out
}

// verdict returns v for JSON, or nil if v is empty.
func verdict(v ledger.Verdict) *ledger.Verdict {
	if v == ledger.Unjudged {
		return nil
	}
	return &v
}

// strength returns the evidence strength of an entry with matches.
func strength(e *ledger.Entry) *strengthJSON {
	if e.Best == nil {
		return nil
	}
	return &strengthJSON{e.Score, e.Strength}
}

// chunkHashes returns the short hashes of the chunks of an entry's matches without duplicates: first that of the
// deciding match, then the others in order.
func chunkHashes(e *ledger.Entry, s *ledger.Session) []string {
	out := make([]string, 0, len(e.Claim.Matches))
	seen := map[string]bool{}
	add := func(m *ledger.Match) {
		c := s.Chunk(m.Chunk)
		if c == nil || len(c.Hash) < ledger.HashDigits || seen[c.Hash[:ledger.HashDigits]] {
			return
		}
		short := c.Hash[:ledger.HashDigits]
		seen[short] = true
		out = append(out, short)
	}
	if e.Best != nil {
		add(e.Best)
	}
	for i := range e.Claim.Matches {
		add(&e.Claim.Matches[i])
	}
	return out
}

func flagClaims(f ledger.RiskFlag) []string {
	out := make([]string, len(f.Claims))
	for i, c := range f.Claims {
		out[i] = c.Key
	}
	return out
}

func advice(list []ledger.Advice) []string {
	out := make([]string, len(list))
	for i, a := range list {
		out[i] = a.Text()
	}
	return out
}

// stamp formats a time in UTC with as many digits as it needs.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
