package mailfile

import (
	"regexp"
	"strings"
	"unicode"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// putMailText adds a mail's plain text. What it quotes of earlier mails keeps one ">" at the head of each paragraph, so
// that a paragraph's lines are joined and the reader still sees that it is quoted.
func putMailText(out *block.List, s string, flowed, delSp bool) {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	s = withoutSignature(s)
	var open strings.Builder
	depth := 0
	flush := func() {
		for _, b := range ledger.ParseBlocks(open.String(), 0, 0) {
			t := strings.TrimSpace(b.Text)
			if t == "" {
				continue
			}
			if depth > 0 {
				t, b.Level = "> "+t, 0
			}
			out.Put(t, b.Level, 0)
		}
		open.Reset()
	}
	for line := range strings.SplitSeq(s, "\n") {
		d, rest := quoteDepth(line)
		if d != depth {
			flush()
			depth = d
		}
		if flowed {
			rest = strings.TrimPrefix(rest, " ") // stuffed
		} else if d > 0 {
			rest = strings.TrimLeft(rest, " ")
		}
		if flowed && strings.HasSuffix(rest, " ") && rest != "-- " {
			if delSp {
				rest = strings.TrimSuffix(rest, " ")
			}
			open.WriteString(rest)
			continue
		}
		open.WriteString(rest + "\n")
	}
	flush()
}

// quoteDepth returns how often a line is quoted, and its text.
func quoteDepth(line string) (depth int, rest string) {
	rest = line
	for strings.HasPrefix(rest, ">") {
		depth++
		rest = rest[1:]
		if strings.HasPrefix(rest, " >") {
			rest = rest[1:]
		}
	}
	return depth, rest
}

// Lines of a text that its author signed (RFC 9580, 7): what is signed stands between them.
var (
	signedLine    = regexp.MustCompile(`(?m)^-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Za-z]+: .*\n)*`)
	signatureLine = regexp.MustCompile(`(?ms)^-----BEGIN PGP SIGNATURE-----$.*?^-----END PGP SIGNATURE-----$`)
)

func withoutSignature(s string) string {
	if !strings.Contains(s, "-----BEGIN PGP SIGN") {
		return s
	}
	return signatureLine.ReplaceAllString(signedLine.ReplaceAllString(s, ""), "")
}

// mostAttribution is how long the line above a quoted mail may be, in code points.
const mostAttribution = 500

// Lines that programs write above the mail that they quote: those that say who wrote, those that begin it, and those
// that repeat its fields.
var (
	wroteLine = regexp.MustCompile(`(?is)^(?:on|le|am|el|il|em|op|في|بتاريخ|يوم)\s.{5,300}` +
		`(?:wrote|writes|a écrit|schrieb|escribió|ha scritto|escreveu|schreef|كتب|كتبت).{0,120}:$`)
	originalLine = regexp.MustCompile(`(?i)^(?:[-_]{2,}\s*(?:original message|original appointment|forwarded message|` +
		`ursprüngliche nachricht|message d'origine|mensaje original|رسالة أصلية|الرسالة الأصلية|رسالة معاد توجيهها|` +
		`رسالة محولة)\s*[-_]{2,}|begin forwarded message:)`)
	fieldsLine = regexp.MustCompile(`(?is)^[-_*\s]*(?:from|von|de|da|van|من|المرسل)\s?\*?:.{1,300}` +
		`(?:sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden|تاريخ الإرسال|تم الإرسال|أُرسلت|التاريخ)\s?\*?:`)
)

// nameQuotes makes headings of the lines above quoted mails, so that a passage of such a mail stands under its sender
// and date and is not taken for the author's words. Where a text goes on below what it quotes, toEnd is false, and who
// wrote the rest could not be told: then only lines that no text of the author's follows are headings.
func nameQuotes(blocks []ledger.Block, toEnd bool) {
	for i := range blocks {
		b := &blocks[i]
		s := strings.TrimSpace(strings.TrimLeft(b.Text, "> "))
		if b.Level > 0 || text.Len(s) > mostAttribution || strings.HasPrefix(s, "|") {
			continue
		}
		if originalLine.MatchString(s) || fieldsLine.MatchString(s) || toEnd && wroteLine.MatchString(s) {
			b.Level = 1
		}
	}
}

// endsInQuote reports whether all of a text below the first line that says who wrote is quoted.
func endsInQuote(blocks []ledger.Block) bool {
	below := false
	for i := range blocks {
		quoted := strings.HasPrefix(blocks[i].Text, ">")
		if below && !quoted {
			return false
		}
		below = below || wroteLine.MatchString(strings.TrimSpace(blocks[i].Text))
	}
	return below
}

var (
	quoteTag = regexp.MustCompile(`(?i)<(/?)blockquote\b[^>]{0,1000}>`)
	anyTag   = regexp.MustCompile(`<[^>]*>`)
)

// quotedToEnd reports whether a page has one quoted mail, whatever that quotes itself, with no words below it.
func quotedToEnd(page string) bool {
	depth, outer, last := 0, 0, len(page)
	for _, at := range quoteTag.FindAllStringSubmatchIndex(page, -1) {
		if at[2] < at[3] {
			depth = max(depth-1, 0)
			last = at[1]
			continue
		}
		if depth++; depth == 1 {
			outer++
		}
	}
	rest := anyTag.ReplaceAllString(page[last:], "")
	rest = strings.ReplaceAll(rest, "&nbsp;", "")
	return outer == 1 && strings.IndexFunc(rest, unicode.IsLetter) < 0
}
