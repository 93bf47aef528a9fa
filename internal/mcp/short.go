package mcp

import (
	"fmt"
	"slices"
)

// ledger is a ledger in short.
type ledger struct {
	SessionID string   `json:"session_id,omitempty"`
	Address   string   `json:"address,omitempty" jsonschema:"page on which people read and review the ledger"`
	Question  string   `json:"question,omitempty"`
	Summary   *summary `json:"summary,omitempty" jsonschema:"figures of all claims, also those that are left out here"`
	Claims    []claim  `json:"claims,omitempty"`
	LeftOut   int      `json:"claims_left_out,omitempty" jsonschema:"how many claims match and are not listed here"`
	NextFrom  int      `json:"next_from,omitempty" jsonschema:"first claim left out, for from of get_ledger"`
	Risks     []risk   `json:"risk_flags,omitempty"`
	Warnings  []string `json:"warnings,omitempty" jsonschema:"what of the input was changed or not understood"`
	Job       *job     `json:"job,omitempty" jsonschema:"set if the answer is still being judged"`
}

type job struct {
	ID      string `json:"job_id"`
	Status  string `json:"status"`
	Percent int    `json:"percent"`
	Note    string `json:"note"`
}

type summary struct {
	Total        int     `json:"total_claims"`
	Supported    int     `json:"supported"`
	Weak         int     `json:"weak"`
	Contradicted int     `json:"contradicted"`
	NotFound     int     `json:"not_found"`
	Unjudged     int     `json:"unjudged"`
	Reviewed     int     `json:"reviewed" jsonschema:"claims that people have reviewed"`
	Coverage     float64 `json:"evidence_coverage" jsonschema:"share of the claims that have evidence"`
}

type claim struct {
	Number     int       `json:"number"`
	Text       string    `json:"text"`
	Verdict    string    `json:"verdict" jsonschema:"supported, weak, contradicted, not_found or unjudged"`
	Why        string    `json:"unjudged,omitempty" jsonschema:"why no judge could judge it"`
	Confidence float64   `json:"confidence" jsonschema:"0 to 1"`
	Whose      string    `json:"confidence_source,omitempty" jsonschema:"whose: calibrated, caller, model or review"`
	Review     string    `json:"review,omitempty" jsonschema:"state of its review by people"`
	Flags      []string  `json:"flags,omitempty"`
	Note       string    `json:"note,omitempty" jsonschema:"why it is not supported, or what its reviewer said"`
	Citations  []mark    `json:"citations,omitempty" jsonschema:"those that are in_part, elsewhere, does_not_hold or unresolved"`
	Quotations []mark    `json:"quotations,omitempty" jsonschema:"quotations that are in no source"`
	Evidence   *evidence `json:"evidence,omitempty" jsonschema:"the best evidence, for or against"`
}

// mark is a citation or quotation as it stands in the answer, and what became of it.
type mark struct {
	Text   string `json:"text"`
	Status string `json:"status"`
}

type evidence struct {
	Document    string `json:"document"`
	Page        int    `json:"page,omitempty"`
	Snippet     string `json:"snippet" jsonschema:"words of the document"`
	Chunk       string `json:"chunk_hash,omitempty" jsonschema:"can be cited as [cite:HASH]"`
	Contradicts bool   `json:"contradicts,omitempty"`
}

type risk struct {
	Type        string `json:"type"`
	Severity    string `json:"severity"`
	Description string `json:"description"`
}

// wholeLedger is what is read of GET /sessions/{id}/ledger.
type wholeLedger struct {
	Ledger struct {
		SessionID string  `json:"session_id"`
		Entries   []entry `json:"entries"`
		Summary   struct {
			Total     int     `json:"total_claims"`
			Coverage  float64 `json:"evidence_coverage"`
			Unjudged  int     `json:"unjudged"`
			Reviewed  int     `json:"reviewed"`
			ByVerdict struct {
				Supported    int `json:"supported"`
				Weak         int `json:"weak"`
				Contradicted int `json:"contradicted"`
				NotFound     int `json:"not_found"`
			} `json:"by_verdict"`
		} `json:"summary"`
		Risks []risk `json:"risk_flags"`
	} `json:"ledger"`
	Page struct {
		Left     int `json:"left"`
		NextFrom int `json:"next_from"` // 0 for null
	} `json:"page"`
	Session struct {
		Query   string `json:"query"`
		Refused []struct {
			Cause string `json:"cause"`
			Count int    `json:"count"`
		} `json:"refused_spans"`
		Trace struct {
			Late     int       `json:"late_spans"`
			Warnings []warning `json:"warnings"`
		} `json:"trace"`
	} `json:"session"`
}

type entry struct {
	Number     int      `json:"number"`
	Text       string   `json:"claim_text"`
	Verdict    *string  `json:"verdict"`
	Why        string   `json:"unjudged"`
	Confidence float64  `json:"confidence_score"`
	Whose      string   `json:"confidence_source"`
	State      string   `json:"state"`
	Flags      []string `json:"flags"`
	Snippet    string   `json:"evidence_snippet"`
	Chunks     []string `json:"evidence_chunk_ids"`
	Source     *struct {
		Filename string `json:"filename"`
		Page     int    `json:"page_number"`
	} `json:"source_document"`
	Matches   []match `json:"matches"`
	Notes     string  `json:"notes"`
	Citations []struct {
		Anchor string `json:"anchor"`
		Status string `json:"status"`
	} `json:"citation_checks"`
	Quotations []mark `json:"quotation_checks"`
}

type match struct {
	Snippet     string `json:"snippet"`
	Filename    string `json:"filename"`
	Chunk       string `json:"chunk_hash"`
	Page        int    `json:"page_number"`
	Contradicts bool   `json:"contradicts"`
}

// hashDigits is how many digits of a chunk's hash a citation has.
const hashDigits = 8

func (e *entry) claim() claim {
	out := claim{Number: e.Number, Text: cut(e.Text, maxText), Verdict: unjudged, Why: cut(e.Why, maxSnippet),
		Confidence: e.Confidence, Note: cut(e.Notes, maxSnippet),
		Whose: e.Whose, Review: e.State, Flags: e.Flags}
	e.marks(&out)
	if e.Verdict != nil {
		out.Verdict = *e.Verdict
	}
	// of a contradicted claim, the evidence is what contradicts it
	at := slices.IndexFunc(e.Matches, func(m match) bool { return m.Contradicts })
	switch {
	case out.Verdict == "contradicted" && at >= 0:
		m := e.Matches[at]
		out.Evidence = &evidence{Document: cut(m.Filename, maxName), Page: m.Page, Snippet: cut(m.Snippet, maxSnippet),
			Chunk: m.Chunk[:min(len(m.Chunk), hashDigits)], Contradicts: true}
	case e.Source != nil:
		out.Evidence = &evidence{Document: cut(e.Source.Filename, maxName), Page: e.Source.Page,
			Snippet: cut(e.Snippet, maxSnippet)}
		if len(e.Chunks) > 0 {
			out.Evidence.Chunk = e.Chunks[0]
		}
	}
	return out
}

// marks tells of the citations and quotations that are wrong.
func (e *entry) marks(to *claim) {
	for _, c := range e.Citations {
		if c.Status != "holds" && len(to.Citations) < maxFaults {
			to.Citations = append(to.Citations, mark{cut(c.Anchor, maxName), c.Status})
		}
	}
	for _, q := range e.Quotations {
		if q.Status == "not_found" && len(to.Quotations) < maxFaults {
			to.Quotations = append(to.Quotations, mark{cut(q.Text, maxSnippet), q.Status})
		}
	}
}

// short returns what of a ledger is told.
func (w *wholeLedger) short(base string) *ledger {
	l, by := &w.Ledger, &w.Ledger.Summary.ByVerdict
	out := &ledger{
		SessionID: l.SessionID, Address: base + "/sessions/" + l.SessionID, Question: cut(w.Session.Query, maxText),
		Summary: &summary{
			Total: l.Summary.Total, Supported: by.Supported, Weak: by.Weak, Contradicted: by.Contradicted,
			NotFound: by.NotFound,
			Unjudged: l.Summary.Unjudged, Reviewed: l.Summary.Reviewed, Coverage: l.Summary.Coverage,
		},
	}
	for _, r := range l.Risks {
		r.Description = cut(r.Description, maxSnippet)
		out.Risks = append(out.Risks, r)
	}
	for _, r := range w.Session.Refused {
		out.Warnings = append(out.Warnings, fmt.Sprintf("Spans of the trace that were refused: %d (%s). Documents or answers in "+
			"them may be missing here.", r.Count, cut(r.Cause, maxName)))
	}
	if n := w.Session.Trace.Late; n > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("Spans of the trace that came after this was made, and are not in it: %d.", n))
	}
	out.Warnings = append(out.Warnings, told(w.Session.Trace.Warnings, sessionNames)...)
	found := make([]claim, len(l.Entries))
	for i := range l.Entries {
		found[i] = l.Entries[i].claim()
	}
	told := fitting(found, maxTold)
	out.Claims, out.LeftOut, out.NextFrom = found[:told], len(found)-told+w.Page.Left, w.Page.NextFrom
	if told < len(found) {
		out.NextFrom = found[told].Number
	}
	return out
}
