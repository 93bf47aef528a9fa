package exporters

import (
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/typeset"
	"sanad/internal/words"
)

// pdfLang is the language of one section of a PDF, or of a table: its messages, numbers and dates.
type pdfLang struct {
	code  string // "en", "ar"
	words *words.Catalogue
}

// pdfLangs are the sections of a PDF, in their order.
var pdfLangs = []pdfLang{{"en", words.In("en")}, {"ar", words.In("ar")}}

// t returns the message id with its placeholders filled; pairs are name, value. A ledger's PDF shares its messages with
// the pages; those that differ are in the catalogue under "pdf.".
func (p *pdfLang) t(id string, pairs ...any) string { return say(p.words, id, pairs, "pdf.") }

// say returns the first message that the catalogue has under one of the prefixes, else the one without a prefix.
func say(c *words.Catalogue, id string, pairs []any, prefixes ...string) string {
	for _, prefix := range prefixes {
		if c.Has(prefix + id) {
			return c.Text(prefix+id, pairs...)
		}
	}
	return c.Text(id, pairs...)
}

// saidAll says messages, each cut to what a line has room for.
func (p *pdfLang) saidAll(list []domain.Message) []string {
	out := make([]string, len(list))
	for i, m := range list {
		out[i] = clipped(plain(p.words, m, "pdf."), pdfTitleLength)
	}
	return out
}

// plain says a message as say does, with its numbers and texts as they are.
func plain(c *words.Catalogue, m domain.Message, prefix string) string {
	if c.Has(prefix + m.ID) {
		m.ID = prefix + m.ID
	}
	return c.Plain(m)
}

// list joins words as the language does.
func (p *pdfLang) list(parts ...string) string { return strings.Join(parts, p.t("list_comma")) }

// date formats a day in UTC: "21 Nov 2026".
func (p *pdfLang) date(t time.Time) string {
	t = t.UTC()
	return strconv.Itoa(t.Day()) + " " + p.t("month_"+strconv.Itoa(int(t.Month()))) + " " + strconv.Itoa(t.Year())
}

// time formats an instant with its zone: "21 Nov 2026, 09:00 UTC".
func (p *pdfLang) time(t time.Time) string {
	return p.list(p.date(t), t.UTC().Format("15:04")+" UTC")
}

// day formats a document's date; a text that isn't a date is returned unchanged.
func (p *pdfLang) day(s string) string {
	if t, ok := ledger.ParseDate(s); ok {
		return p.date(t)
	}
	return s
}

// judge returns the name of a run's judge.
func (p *pdfLang) judge(r *ledger.Run) string {
	switch r.Judge {
	case "":
		return "–"
	case "given":
		return p.t("judge_given")
	case "embedded", "given+embedded", "lexical", "given+lexical":
		return p.t("judge_name", "Name", p.t("judge_"+r.Judge), "Version", r.Version) + p.reader(r)
	}
	if i := strings.LastIndexByte(r.Version, '/'); i > 0 { // a model and the version of its prompt
		return r.Judge + " · " + r.Version[:i]
	}
	return p.t("judge_name", "Name", r.Judge, "Version", r.Version)
}

// reader says in short what the embedded judge read with, on a line of its own; "" where nothing was read. The attached
// JSON has the whole digests.
func (p *pdfLang) reader(r *ledger.Run) string {
	if r.Reader() == "" {
		return ""
	}
	reader := p.t(ledger.ReaderMessage(r.Reader()), "Digest", shortDigest(r.Reader()))
	if !r.Calibrated() {
		return "\n" + p.t("judge_reader_uncalibrated", "Reader", reader)
	}
	return "\n" + p.t("judge_reader", "Reader", reader, "Calibration", shortDigest(r.Calibration()))
}

var pdfKinds = map[ledger.Verdict]typeset.Kind{
	ledger.Supported: typeset.Good, ledger.Weak: typeset.Unsure, ledger.Contradicted: typeset.Bad,
	ledger.NotFound: typeset.Open,
	ledger.Unjudged: typeset.Plain,
}

// badge returns a verdict with its icon and colour.
func (p *pdfLang) badge(v ledger.Verdict) *typeset.Badge {
	return &typeset.Badge{Kind: pdfKinds[v], Word: p.verdict(v)}
}

// entryBadge returns a claim's effective verdict with its tier.
func (p *pdfLang) entryBadge(e *ledger.Entry) *typeset.Badge {
	return &typeset.Badge{Kind: pdfKinds[e.Verdict], Word: p.tiered(e.Verdict, e.Tier)}
}

// tiered returns the name of a verdict with its tier.
func (p *pdfLang) tiered(v ledger.Verdict, t ledger.Tier) string {
	if t == "" {
		return p.verdict(v)
	}
	return p.t("tier_word", "Verdict", p.verdict(v), "Tier", p.t("tier_"+string(t)))
}

func (p *pdfLang) verdict(v ledger.Verdict) string {
	if v == ledger.Unjudged {
		return p.t("verdict_unjudged")
	}
	return p.t("verdict_" + string(v))
}

// hasConfidence reports whether a confidence applies to a verdict.
func hasConfidence(v ledger.Verdict) bool { return v != ledger.Unjudged && v != ledger.NotFound }

func textCell(s string) typeset.Cell { return typeset.Cell{Spans: typeset.Text(s)} }
