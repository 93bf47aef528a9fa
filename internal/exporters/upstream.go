package exporters

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

var placedNames = map[text.PlacementKind]string{
	text.Exact: "placed exactly", text.Normalised: "same words, different spelling", text.Fuzzy: "nearly the same words",
	text.NotPlaced: "not placed",
}

// upstream are the verdicts from a provider's file beside the ledger's. The JSON export has all of them in sanad.extra.
func upstream(l *ledger.Ledger) claimLines {
	whole := l.Session.UpstreamWhole()
	s := &section{heading: "## What the File Said"}
	s.intro = "Words of whoever sent the claims. They stand beside the verdicts above and decide none of them."
	if whole == nil {
		whole = &ledger.UpstreamWhole{}
	} else {
		s.intro = "Imported from " + ledger.ProviderName(l.Session.Format) +
			". What its file says stands beside the verdicts above and decides none of them."
	}
	s.always = whole.Format != ""
	if p := whole.Placed; p != nil {
		s.item("Citations and labels: %d; %s", p.Total(), placedLine(*p))
	}
	for _, r := range whole.Refused {
		s.item("%s", refusedLine(&r))
	}
	for _, score := range whole.Scores {
		s.item("%s", scoreLine(&score))
	}
	return claimLines{s, func(e *ledger.Entry) {
		u := l.Session.Upstream(e.Claim.Position)
		if u == nil {
			return
		}
		if u.Stated() {
			s.item("#%d: %s", e.Claim.Number(), saidLine(&u.UpstreamVerdict))
		}
		for _, list := range [][]ledger.UpstreamMark{u.Citations, u.Labels} {
			for j := range list {
				s.item("#%d: %s", e.Claim.Number(), markLine(&list[j]))
			}
		}
	}}
}

// upstream appends what the imported file, or whoever sent the claims, said of a claim.
func (p *pdfWriter) upstream(out *prose.Lines, e *ledger.Entry) {
	u := p.l.Session.Upstream(e.Claim.Position)
	if u == nil || !u.Stated() {
		return
	}
	var said []typeset.Span
	if u.Verdict != "" {
		said = append(said, typeset.Span{Text: p.Verdict(u.Verdict)})
	}
	if u.Label != "" {
		said = append(said, typeset.Span{Text: prose.Clipped(u.Label, prose.TitleLength), Isolate: true})
	}
	if u.Score != nil {
		said = append(said, typeset.Span{Text: figure(*u.Score)})
	}
	for i := len(said) - 1; i > 0; i-- {
		said = slices.Insert(said, i, typeset.Span{Text: " · "})
	}
	if reason := strings.TrimSpace(u.Reason); reason != "" {
		if len(said) > 0 {
			said = append(said, typeset.Span{Text: "\n"})
		}
		said = append(said, p.free(prose.Clipped(reason, prose.RemarkLength))...)
	}
	out.Labelled(p.T("file_said"), said...)
}

// placedLine returns "placed exactly: 3 (75%), not placed: 1 (25%)" for all four ways of placing.
func placedLine(p ledger.Placed) string {
	parts := make([]string, len(ledger.Placements))
	for i, kind := range ledger.Placements {
		parts[i] = fmt.Sprintf("%s: %d (%s)", placedNames[kind], p.Of(kind), percent(p.Share(kind)))
	}
	return strings.Join(parts, ", ")
}

var refusedWhy = map[string]string{
	"bad_content": "content that cannot be read", "too_large": "larger than 1 MiB", "trace_full": "the trace was full",
}

// refusedLine returns "spans of the trace that were refused: 2", why, which, and what that means.
func refusedLine(r *ledger.RefusedSpans) string {
	return joinedLine("spans of the trace that were refused: "+strconv.Itoa(r.N), refusedWhy[r.Cause], strings.Join(r.Spans, ", "),
		"documents or answers in them may be missing here")
}

func scoreLine(s *ledger.UpstreamScore) string {
	return joinedLine(s.Name, string(s.Value), s.Label, s.Note)
}

// saidLine returns a verdict of the file with its own label: "✗ Contradicted; Evident Conflict; score 0.4; the reason".
func saidLine(v *ledger.UpstreamVerdict) string {
	verdict, score := "", ""
	if v.Verdict != "" {
		verdict = verdictLabel(v.Verdict)
	}
	if v.Score != nil {
		score = "score " + strconv.FormatFloat(*v.Score, 'g', 4, 64)
	}
	return "the file said " + joinedLine(verdict, v.Label, score, v.Reason)
}

// markLine returns a citation or label: "“15 days”; hr.pdf; placed exactly".
func markLine(m *ledger.UpstreamMark) string {
	words, label := m.Words, ""
	if words != "" {
		words = "“" + words + "”"
	}
	if m.UpstreamVerdict != nil {
		label = m.Label
	}
	if m.Kind == ledger.PointerMark {
		return joinedLine(m.Words, m.ChunkID, label, m.DocumentID)
	}
	return joinedLine(words, label, m.DocumentID, placedNames[m.Placed])
}

// joinedLine joins the texts that are not empty.
func joinedLine(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p = prose.Inline(p); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "; ")
}
