package exporters

import (
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// claims is the ledger with a row for each claim: the verdict, its deciding evidence and what reviewers decided.
func (t *tables) claims() table {
	return table{
		name: t.T("claims"),
		columns: []column{
			t.head("number", 7), t.head("claim", 60), t.head("type", 12), t.head("importance", 12), t.head("verdict", 14),
			t.head("judge_verdict", 14), t.head("tier", 12),
			t.head("confidence", 12), t.head("confidence_is", 24), t.head("risk_flags", 28),
			t.head("decision", 20), t.head("new_verdict", 16), t.head("reviewer", 20), t.head("reviewed_at", 18),
			t.head("reviewer_notes", 40), t.head("document", 30), t.head("place", 20), t.head("heading", 30),
			t.head("quoted", 60), t.head("quoted_from", 12), t.head("quoted_to", 12), t.head("judge_notes", 40),
			t.head("answer_from", 12), t.head("answer_to", 12), t.head("claim_id", 20),
		},
		rows: func(yield func([]any) bool) {
			for e := range t.entries {
				if !yield(t.claimRow(e)) {
					return
				}
			}
			for e := range t.aside { // which have a decision and no verdict
				row := t.claimRow(e)
				if row[4] = nil; !yield(row) {
					return
				}
			}
		},
	}
}

func (t *tables) claimRow(e *ledger.Entry) []any {
	c := e.Claim
	row := []any{
		c.Number(), c.Text, t.T("type_" + string(e.Type)), t.T("importance_" + string(e.Importance)), t.Verdict(e.Verdict),
		t.Verdict(e.Machine), nil, nil, nil, written(t.List(t.FlagNames(e)...)),
	}
	if tier := e.MachineTier(); tier != "" {
		row[6] = t.T("tier_" + string(tier))
	}
	if e.FigureSource() != "" {
		row[7], row[8] = share(e.Shown()), t.basis(e)
	}
	row = append(row, t.decision(e)...)
	row = append(row, t.quote(e.Best)...)
	var remark string
	switch {
	case c.Unjudged != "":
		remark = t.Words.Plain(c.Cause())
	case e.Best != nil:
		remark = t.Words.Plain(e.Best.Remarked())
	}
	return append(append(append(row, written(remark)), span(c.Span)...), written(c.Key))
}

// basis says whose figure a confidence is.
func (t *tables) basis(e *ledger.Entry) string {
	if source := e.FigureSource(); source != ledger.Calibrated {
		return t.Words.Text("table.by_" + string(source))
	}
	return t.T("probability")
}

// decision is what the deciding review says: what was done, a verdict that is not the judge's, by whom, when and why.
func (t *tables) decision(e *ledger.Entry) []any {
	r := t.l.Session.Decision(e.Claim)
	if r == nil {
		return []any{t.T(waits(e)), nil, nil, nil, nil}
	}
	did, set := t.T("review_"+string(r.Action)), ""
	if e.Stale {
		did = t.List(did, t.T("look_again"))
	}
	if e.Override {
		set = t.Verdict(e.Verdict)
	}
	return []any{did, written(set), written(r.Actor), instant(r.At), written(r.Reason)}
}

// quote is where the passage of a match is, its words, and where these begin and end in the passage.
func (t *tables) quote(m *ledger.Match) []any {
	row := make([]any, 6)
	if m == nil {
		return row
	}
	d, c := t.l.Session.Document(m.Chunk.Document), t.l.Session.Chunk(m.Chunk)
	if d != nil {
		name := documentName(d)
		if d.Withdrawn != "" {
			name = t.List(name, t.T("withdrawn"))
		}
		row[0] = name
	}
	if c != nil {
		at := d.Locate(c)
		row[1], row[2] = written(t.List(t.SaidAll(at.Apart())...)), written(strings.Join(c.HeadingPath, " › "))
	}
	row[3] = written(d.ShownSnippet(c, m))
	if m.Snippet != "" && m.Quote.Kind != "" && m.Quote.Kind != text.NotPlaced {
		copy(row[4:], span(&m.Quote.Span))
	}
	return row
}

// span is where a text begins and ends, in code points; two empty cells if that is not known.
func span(of *text.Span) []any {
	if of == nil {
		return []any{nil, nil}
	}
	return []any{of.Start, of.End}
}

// evidence has a row for each passage that was compared with a claim.
func (t *tables) evidence() table {
	return table{
		name: t.Words.Text("table.evidence"),
		columns: []column{
			t.head("claim_number", 9), t.head("evidence_number", 9), t.head("deciding", 10), t.head("says", 18),
			t.head("similarity", 11), t.head("document", 30), t.head("place", 20), t.head("heading", 30),
			t.head("quoted", 70), t.head("quoted_from", 12), t.head("quoted_to", 12), t.head("quoted_how", 22),
			t.head("part", 14), t.head("passage_hash", 14), t.head("passage_from", 14), t.head("judge_notes", 40),
			t.head("attached_by", 20), t.head("attached_at", 18),
		},
		rows: func(yield func([]any) bool) {
			for e := range t.entries {
				for k := range e.Claim.Matches {
					if !yield(t.evidenceRow(e, k)) {
						return
					}
				}
			}
		},
	}
}

func (t *tables) evidenceRow(e *ledger.Entry, k int) []any {
	m := &e.Claim.Matches[k]
	decides, says := "", "support_"+string(m.Support)
	if m == e.Best {
		decides = t.T("yes")
	}
	switch {
	case e.Claim.Undecided(m):
		says = "support_doubtful"
	case m.Contradicts:
		says = "support_contradicts"
	}
	row := []any{e.Claim.Number(), k + 1, written(decides), t.T(says), share(m.Similarity)}
	row = append(row, t.quote(m)...)
	row = append(row, t.quotedHow(m), nil, nil, nil, written(t.Words.Plain(m.Remarked())), nil, nil)
	if c := t.l.Session.Chunk(m.Chunk); c != nil {
		if c.Kind != ledger.Body {
			row[12] = t.T("part_word_" + string(c.Kind))
		}
		row[13] = written(c.Hash[:min(len(c.Hash), ledger.HashDigits)])
		if c.Span != nil {
			row[14] = c.Span.Start
		}
	}
	if m.Attached != nil {
		row[16], row[17] = written(m.Attached.Actor), instant(m.Attached.At)
	}
	return row
}

// quotedHow says how closely a quotation matches its source.
func (t *tables) quotedHow(m *ledger.Match) any {
	switch {
	case strings.TrimSpace(m.Snippet) == "":
		return nil
	case m.Quote.Kind == "":
		return t.T("quote_" + string(text.NotPlaced))
	}
	return t.T("quote_" + string(m.Quote.Kind))
}

// reviews has a row for each review of a claim, oldest first, and after them those that came with imported ledgers.
func (t *tables) reviews() table {
	return table{
		name: t.Words.Text("table.reviews"),
		columns: []column{
			t.head("claim_number", 9), t.head("decision", 20), t.head("verdict", 16), t.head("type", 12),
			t.head("importance", 12), t.head("reviewer", 22), t.head("role", 14), t.head("reviewed_at", 18),
			t.head("reviewer_notes", 60), t.head("standing", 30), t.head("came_with", 24),
		},
		rows: func(yield func([]any) bool) {
			for e := range t.entries {
				threads := e.Claim.ThreadsAt()
				for k := range e.Claim.Reviews {
					standing := t.standing(e, k)
					if id := threadWord(threads, k); id != "" {
						standing = append(standing, t.T(id))
					}
					if !yield(t.reviewRow(e, &e.Claim.Reviews[k], standing, "")) {
						return
					}
				}
			}
			for e := range t.entries {
				for j := range e.Claim.Imported {
					x := &e.Claim.Imported[j]
					for k := range x.Reviews {
						r := x.Reviews[k].AsReview()
						if !yield(t.reviewRow(e, &r, nil, t.cameWith(x))) {
							return
						}
					}
				}
			}
		},
	}
}

func (t *tables) reviewRow(e *ledger.Entry, r *ledger.Review, standing []string, cameWith string) []any {
	row := []any{e.Claim.Number(), t.T("review_" + r.Did()), nil, nil, nil, written(r.Actor),
		written(t.role(r.Role)),
		instant(r.At), written(r.Reason), nil, written(cameWith)}
	if r.Verdict != "" {
		row[2] = t.Verdict(r.Verdict)
	}
	if r.Type != "" {
		row[3] = t.T("type_" + string(r.Type))
	}
	if r.Importance != "" {
		row[4] = t.T("importance_" + string(r.Importance))
	}
	if r.Thread > 0 {
		standing = append(standing, t.T("thread_of_review", "N", strconv.Itoa(r.Thread)))
	}
	if r.Batch != "" {
		standing = append(standing, t.T("in_bulk"))
	}
	if r.Adjudicates {
		standing = append(standing, t.T("review_settles"))
	}
	row[9] = written(t.List(standing...))
	return row
}

// standing says what has become of a claim's n-th review, from 0.
func (t *tables) standing(e *ledger.Entry, n int) (out []string) {
	if e.Claim.Undone(n) {
		out = append(out, t.T("review_undone_mark"))
	}
	switch {
	case e.LookAgain(n):
		out = append(out, t.T("look_again"))
	case n < e.Claim.Stale:
		out = append(out, t.T("said_before"))
	}
	return out
}

// cameWith names the file that an imported review stood in.
func (t *tables) cameWith(x *ledger.Imported) string {
	from := t.l.Session.ImportOf(x)
	if from.File == "" {
		return t.T("imported_no_name")
	}
	return from.File
}

// role is a reviewer's role; one that is not known here is returned as it came.
func (t *tables) role(name string) string {
	if id := "role_" + name; t.Words.Has(id) {
		return t.T(id)
	}
	return name
}

// flags has a row for each risk flag, in their order.
func (t *tables) flags() table {
	return table{
		name: t.T("risk_flags"),
		columns: []column{t.head("flag", 24), t.head("severity", 12), t.head("finding", 60), t.head("claims_count", 10),
			t.head("claim_numbers", 60)},
		rows: func(yield func([]any) bool) {
			for i := range t.l.Flags {
				f := &t.l.Flags[i]
				numbers := make([]string, len(f.Claims))
				for k := range f.Claims {
					numbers[k] = strconv.Itoa(f.Claims[k].Position + 1)
				}
				if !yield([]any{t.T("flag_name_" + string(f.Type)), t.T("severity_" + string(f.Severity)), t.Flag(f), f.Count,
					t.List(numbers...)}) {
					return
				}
			}
		},
	}
}
