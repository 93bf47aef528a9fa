// Package prose has what the documents of ledgers and of packs share: the messages of a language, texts cut, escaped
// for Markdown or read from it, and the colours, widths and lengths of what is set in a PDF.
package prose

import (
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/typeset"
	"sanad/internal/words"
)

// Lang is the language of one section of a PDF, or of a table: its messages, numbers and dates.
type Lang struct {
	Code  string // "en", "ar"
	Words *words.Catalogue
	Zone  *time.Location // in which times are given; nil for UTC
}

// Langs are the sections of a PDF, in their order.
var Langs = []Lang{{Code: "en", Words: words.In("en")}, {Code: "ar", Words: words.In("ar")}}

// At returns the language with the zone in which its times are given.
func (p *Lang) At(zone *time.Location) *Lang {
	at := *p
	at.Zone = zone
	return &at
}

// T returns the message id with its placeholders filled; pairs are name, value. A ledger's PDF shares its messages with
// the pages; those that differ are in the catalogue under "pdf.".
func (p *Lang) T(id string, pairs ...any) string { return Say(p.Words, id, pairs, "pdf.") }

// Say returns the first message that the catalogue has under one of the prefixes, else the one without a prefix.
func Say(c *words.Catalogue, id string, pairs []any, prefixes ...string) string {
	for _, prefix := range prefixes {
		if c.Has(prefix + id) {
			return c.Text(prefix+id, pairs...)
		}
	}
	return c.Text(id, pairs...)
}

// SaidAll says messages, each cut to what a line has room for.
func (p *Lang) SaidAll(list []domain.Message) []string {
	out := make([]string, len(list))
	for i, m := range list {
		out[i] = Clipped(Plain(p.Words, m, "pdf."), TitleLength)
	}
	return out
}

// Plain says a message as Say does, with its numbers and texts as they are.
func Plain(c *words.Catalogue, m domain.Message, prefix string) string {
	if c.Has(prefix + m.ID) {
		m.ID = prefix + m.ID
	}
	return c.Plain(m)
}

// Dir is the language's direction, for lines that are in it wherever they stand.
func (p *Lang) Dir() typeset.Dir {
	if p.Code == "ar" {
		return typeset.RTL
	}
	return typeset.LTR
}

// List joins words as the language does.
func (p *Lang) List(parts ...string) string { return strings.Join(parts, p.T("list_comma")) }

// Date formats a day in UTC: "21 Nov 2026", on one line. Markdown folds its no-break spaces.
func (p *Lang) Date(t time.Time) string { return p.dayOf(t.UTC()) }

// dayOf is Date in the zone of the instant.
func (p *Lang) dayOf(t time.Time) string {
	const unbroken = "\u00a0"
	month := strings.ReplaceAll(p.T("month_"+strconv.Itoa(int(t.Month()))), " ", unbroken)
	return strconv.Itoa(t.Day()) + unbroken + month + unbroken + strconv.Itoa(t.Year())
}

// Time formats an instant with how far its zone is from UTC: "21 Nov 2026, 12:00 UTC+3".
func (p *Lang) Time(t time.Time) string { return p.at(t, "15:04") }

// Moment is Time with seconds: two steps of one minute differ by them.
func (p *Lang) Moment(t time.Time) string { return p.at(t, "15:04:05") }

func (p *Lang) at(t time.Time, clock string) string {
	zone := p.Zone
	if zone == nil {
		zone = time.UTC
	}
	t = t.In(zone)
	offset := ""
	if _, seconds := t.Zone(); seconds != 0 { // as pages write it
		offset = strings.TrimSuffix(t.Format("-07:00"), ":00")
		offset = offset[:1] + strings.TrimPrefix(offset[1:], "0")
	}
	return p.List(p.dayOf(t), t.Format(clock)+" UTC"+offset)
}

// Day formats a document's date; a text that isn't a date is returned unchanged.
func (p *Lang) Day(s string) string {
	if t, ok := ledger.ParseDate(s); ok {
		return p.Date(t)
	}
	return s
}

// Judge returns the name of a run's judge.
func (p *Lang) Judge(r *ledger.Run) string {
	switch r.Judge {
	case "":
		return "–"
	case "given":
		return p.T("judge_given")
	case "embedded", "given+embedded", "lexical", "given+lexical":
		return p.T("judge_name", "Name", p.T("judge_"+r.Judge), "Version", r.Version) + p.reader(r)
	}
	if i := strings.LastIndexByte(r.Version, '/'); i > 0 { // a model and the version of its prompt
		return r.Judge + " · " + r.Version[:i]
	}
	return p.T("judge_name", "Name", r.Judge, "Version", r.Version)
}

// reader says in short what the embedded judge read with, on a line of its own; "" where nothing was read. The attached
// JSON has the whole digests.
func (p *Lang) reader(r *ledger.Run) string {
	if r.Reader() == "" {
		return ""
	}
	reader := p.T(ledger.ReaderMessage(r.Reader()), "Digest", ShortDigest(r.Reader()))
	if !r.Calibrated() {
		return "\n" + p.T("judge_reader_uncalibrated", "Reader", reader)
	}
	return "\n" + p.T("judge_reader", "Reader", reader, "Calibration", ShortDigest(r.Calibration()))
}

// Kinds are the badges of verdicts.
var Kinds = map[ledger.Verdict]typeset.Kind{
	ledger.Supported: typeset.Good, ledger.Weak: typeset.Unsure, ledger.Contradicted: typeset.Bad,
	ledger.NotFound: typeset.Open,
	ledger.Unjudged: typeset.Plain,
}

// Badge returns a verdict with its icon and colour.
func (p *Lang) Badge(v ledger.Verdict) *typeset.Badge {
	return &typeset.Badge{Kind: Kinds[v], Word: p.Verdict(v)}
}

// EntryBadge returns a claim's effective verdict with its tier.
func (p *Lang) EntryBadge(e *ledger.Entry) *typeset.Badge {
	return &typeset.Badge{Kind: Kinds[e.Verdict], Word: p.Tiered(e.Verdict, e.Tier)}
}

// Tiered returns the name of a verdict with its tier.
func (p *Lang) Tiered(v ledger.Verdict, t ledger.Tier) string {
	if t == "" {
		return p.Verdict(v)
	}
	return p.T("tier_word", "Verdict", p.Verdict(v), "Tier", p.T("tier_"+string(t)))
}

// Verdict returns the name of a verdict.
func (p *Lang) Verdict(v ledger.Verdict) string {
	if v == ledger.Unjudged {
		return p.T("verdict_unjudged")
	}
	return p.T("verdict_" + string(v))
}

// FlagNames returns the names of a claim's risk flags.
func (p *Lang) FlagNames(e *ledger.Entry) []string {
	names := make([]string, len(e.Flags))
	for i, f := range e.Flags {
		names[i] = p.T("flag_name_" + string(f))
	}
	return names
}

// Flag describes a flag.
func (p *Lang) Flag(f *ledger.RiskFlag) string {
	switch {
	case f.Type == ledger.MissingEvidence && f.Critical > 0 && f.Material > 0:
		return p.T("flag_missing_both", "Critical", strconv.Itoa(f.Critical), "Material", strconv.Itoa(f.Material))
	case f.Type == ledger.MissingEvidence && f.Critical > 0:
		return p.T("flag_missing_critical", "N", strconv.Itoa(f.Critical))
	case f.Type == ledger.MissingEvidence:
		return p.T("flag_missing_material", "N", strconv.Itoa(f.Material))
	case f.Type == ledger.LowConfidence && f.Severity != ledger.Low:
		return p.T("flag_low_mean", "Percent", strconv.Itoa(f.Percent)+"%")
	}
	return p.T("flag_"+string(f.Type), "N", strconv.Itoa(f.Count))
}

// ShortDigest is a digest where there is no room for all of it.
func ShortDigest(digest string) string { return ledger.CutDigest(digest, ledger.DigestDigits) }

// Notes maps the judge's fixed sentences about a verdict, or about why there is none, to message ids, so that the
// document has them in both languages.
var Notes = map[string]string{
	"The judge finds neither support nor contradiction in this passage.": "why_attached",

	"The source does not give the claim's number.":           "why_number",
	"Claim and source may differ in a negation; read both.":  "why_negation",
	"The claim requires what the source only permits.":       "why_permits",
	"The claim speaks of all; the source speaks of some.":    "why_some",
	"The source sets a condition that the claim leaves out.": "why_condition",
	"The source speaks of a plan; the claim states a fact.":  "why_plan",

	"The claim's words are in different rows or columns of a table; read both.":                   "why_cell",
	"The claim makes a comparison that the source does not make.":                                 "why_comparison",
	"Claim and source set different limits for a number.":                                         "why_bound",
	"The claim's time lies within the limit that the source sets; read both.":                     "why_deadline",
	"One of the two says what is allowed, the other what is not, with the same limit; read both.": "why_limit_turned",

	"The source seems to say the same in other words.":                                                                                      "why_same_meaning",
	"The source seems to say otherwise.":                                                                                                    "why_otherwise",
	"The claim has a word that the judge does not know, and the source does not contain it in this spelling.":                               "why_unread_word",
	"Claim and source are in different languages. Their words were compared by means of a list of translations, and their figures exactly.": "why_translated",

	"The dates in claim and source differ, or the date in the source is ambiguous.":                                              "why_date",
	"The source goes on to say that this is not so.":                                                                             "why_denied",
	"Claim and source disagree on a condition: one requires it, the other says that it does not matter.":                         "why_even_if",
	"Only one of claim and source makes an exception.":                                                                           "why_exception",
	"Words of the claim are in each other's places in the source; read both.":                                                    "why_exchanged",
	"The source says this of an earlier time; the claim says it of the present.":                                                 "why_former",
	"The source reports this as hearsay; the claim states it as fact.":                                                           "why_hearsay",
	"The source gives this as an example of something wrong.":                                                                    "why_mistake",
	"The claim combines words from different parts of the source's sentence; read both.":                                         "why_mixed",
	"The word \"only\" limits different things in claim and source.":                                                             "why_only",
	"The passage contains instructions to the judge, which are not evidence.":                                                    "why_order",
	"The source asks this; it does not state it.":                                                                                "why_question",
	"The reader says that the source contradicts the claim. It is not calibrated for this organisation, so this counts as weak.": "why_reader_contradicts",
	"The reader says that the source supports the claim. It is not calibrated for this organisation, so this counts as weak.":    "why_reader_supports",
	"Claim and source give a number with different signs.":                                                                       "why_sign",
	"One of claim and source speaks of the past, and the other of the present.":                                                  "why_time",
	"The number has a different unit in the source.":                                                                             "why_unit",
	"The judge is not sure that this passage supports the claim.":                                                                "why_unsure",
	"This passage supports the claim, but it is not the passage that the claim cites.":                                           "why_other_place",

	"The claim has no words that can be compared with a source.":                             "why_words",
	"The claim is too long to be judged as one statement: split it.":                         "why_long",
	"The claim is too long to be read as one statement: split it.":                           "why_claim_tokens",
	"The claim's language is not covered: this judge reads English and Arabic.":              "why_claim_language",
	"The sources' language is not covered: this judge reads English and Arabic.":             "why_source_language",
	"The claim and the sources are in different languages, which this judge cannot compare.": "why_languages",
	"The judge failed.": "why_failed",
}
