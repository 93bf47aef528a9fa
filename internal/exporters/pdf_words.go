package exporters

import (
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/typeset"
)

// pdfLang is the language of one section of a PDF: its words, figures and dates.
type pdfLang struct {
	code       string // "en", "ar"
	words, own map[string]string
}

// pdfLangs are the sections of a PDF, in their order.
var pdfLangs = []pdfLang{
	{"en", pdfWordsEnglish, pdfOwnEnglish},
	{"ar", pdfWordsArabic, pdfOwnArabic},
}

// t gives the word id with its placeholders filled: pairs are name, value.
func (p *pdfLang) t(id string, pairs ...string) string {
	s, ok := p.own[id]
	if !ok {
		s, ok = p.words[id]
	}
	if !ok {
		return id
	}
	if len(pairs) == 0 {
		return s
	}
	fill := make([]string, 0, len(pairs))
	for i := 0; i+1 < len(pairs); i += 2 {
		fill = append(fill, "{{."+pairs[i]+"}}", pairs[i+1])
	}
	return strings.NewReplacer(fill...).Replace(s)
}

// list joins words as the language does.
func (p *pdfLang) list(parts ...string) string { return strings.Join(parts, p.t("list_comma")) }

// date writes a day, UTC: "21 Nov 2026".
func (p *pdfLang) date(t time.Time) string {
	t = t.UTC()
	return strconv.Itoa(t.Day()) + " " + p.t("month_"+strconv.Itoa(int(t.Month()))) + " " + strconv.Itoa(t.Year())
}

// time writes an instant with its zone: "21 Nov 2026, 09:00 UTC".
func (p *pdfLang) time(t time.Time) string {
	return p.list(p.date(t), t.UTC().Format("15:04")+" UTC")
}

// day writes a document's date, which stays as it was given where it is none.
func (p *pdfLang) day(s string) string {
	if t, ok := ledger.ParseDate(s); ok {
		return p.date(t)
	}
	return s
}

// judge names the judge of a run.
func (p *pdfLang) judge(r *ledger.Run) string {
	switch r.Judge {
	case "":
		return "–"
	case "given":
		return p.t("judge_given")
	case "lexical", "given+lexical":
		return p.t("judge_name", "Name", p.t("judge_"+r.Judge), "Version", r.Version)
	}
	return p.t("judge_name", "Name", r.Judge, "Version", r.Version)
}

var pdfKinds = map[ledger.Verdict]typeset.Kind{
	ledger.Supported: typeset.Good, ledger.Weak: typeset.Unsure, ledger.Contradicted: typeset.Bad, ledger.NotFound: typeset.Open,
	ledger.Unjudged: typeset.Plain,
}

// badge is a verdict with its icon and colour.
func (p *pdfLang) badge(v ledger.Verdict) *typeset.Badge {
	return &typeset.Badge{Kind: pdfKinds[v], Word: p.verdict(v)}
}

func (p *pdfLang) verdict(v ledger.Verdict) string {
	if v == ledger.Unjudged {
		return p.t("verdict_unjudged")
	}
	return p.t("verdict_" + string(v))
}

// hasConfidence tells the verdicts that a confidence says something about.
func hasConfidence(v ledger.Verdict) bool { return v != ledger.Unjudged && v != ledger.NotFound }

func textCell(s string) typeset.Cell { return typeset.Cell{Spans: typeset.Text(s)} }
