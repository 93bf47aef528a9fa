package models

import (
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
	"sanad/internal/views/ui"
)

// TrustInput is what people made of an endpoint's words (rule J-12), and what its words count.
type TrustInput struct {
	Set      model.Trust
	Origin   [2]int       // reviews that the trust of supported and of contradicted stands on, 0 if it was typed
	Words    ledger.Table // the model's word by row, people's verdict by column
	Measured model.Measured
	Blind    int  // of these claims, those of blind sessions
	Objected int  // claims left out, as trust makes no verdict of them
	Sessions int  // that were read
	More     bool // older ones were left out
}

// TrustView is TrustInput, laid out.
type TrustView struct {
	Rows  []TrustRow
	Notes []string
	Can   bool // there is something to take over
}

// TrustRow is one word.
type TrustRow struct {
	Word              ui.Badge
	Agreed, Otherwise string
	Measured, Set     string // "" for a word that has no trust
}

func trustView(c *ui.Chrome, in *TrustInput) *TrustView {
	v := &TrustView{Can: in.Measured.Some()}
	all := 0
	for _, word := range ledger.Verdicts {
		said, agreed := in.Words.Row(word), in.Words.At(word, word)
		all += said
		row := TrustRow{Word: c.VerdictBadge(word, 0), Agreed: c.Num(agreed), Otherwise: c.Num(said - agreed)}
		switch word {
		case ledger.Supported:
			row.Measured, row.Set = measured(c, in.Measured.Supported), counts(c, in.Set.Supported, in.Origin[0])
		case ledger.Contradicted:
			row.Measured, row.Set = measured(c, in.Measured.Contradicted), counts(c, in.Set.Contradicted, in.Origin[1])
		}
		v.Rows = append(v.Rows, row)
	}
	counted := "mdl_trust_counted"
	if in.More {
		counted = "mdl_trust_counted_newest"
	}
	v.Notes = append(v.Notes, c.N(counted, all, "Sessions", c.N("mod_sessions", in.Sessions)))
	if in.Blind > 0 {
		v.Notes = append(v.Notes, c.N("mdl_trust_blind", in.Blind))
	}
	if in.Objected > 0 {
		v.Notes = append(v.Notes, c.N("mdl_trust_objected", in.Objected))
	}
	v.Notes = append(v.Notes, c.T("mdl_trust_help"))
	return v
}

// measured says the lower bound of a share and what it stands on, or how many reviews it lacks.
func measured(c *ui.Chrome, m model.MeasuredShare) string {
	if m.Missing > 0 {
		return c.N("mdl_trust_missing", m.Missing)
	}
	return c.N("mdl_trust_on", m.Reviews, "Share", percent(c, m.Share))
}

// counts says what a word counts, and where that is from.
func counts(c *ui.Chrome, share float64, reviews int) string {
	switch {
	case reviews > 0:
		return c.N("mdl_trust_taken", reviews, "Share", percent(c, share))
	case share == 0:
		return c.T("mdl_trust_unset")
	}
	return c.T("mdl_trust_typed", "Share", percent(c, share))
}

// percent writes a share with one place where it has one: what is shown is what is taken over.
func percent(c *ui.Chrome, share float64) string {
	return c.PerCent(strings.TrimSuffix(strconv.FormatFloat(share*100, 'f', 1, 64), ".0"))
}

// AddTrust says in each line what the words of the endpoint count, and what reviews say of them; one for each line, in
// their order.
func (p *ListPage) AddTrust(rows []model.Endpoint, measuredOf []model.Measured) {
	for i := range rows {
		if !rows[i].Kind.Judges() {
			continue
		}
		for _, x := range []struct {
			word  ledger.Verdict
			set   float64
			found model.MeasuredShare
		}{
			{ledger.Supported, rows[i].Trust.Supported, measuredOf[i].Supported},
			{ledger.Contradicted, rows[i].Trust.Contradicted, measuredOf[i].Contradicted},
		} {
			set := p.T("mdl_trust_unset")
			if x.set > 0 {
				set = percent(&p.Chrome, x.set)
			}
			p.Rows[i].Trust = append(p.Rows[i].Trust, p.T("mdl_trust_line", "Verdict", p.VerdictBadge(x.word, 0).Word,
				"Set", set, "Measured", measured(&p.Chrome, x.found)))
		}
	}
}
