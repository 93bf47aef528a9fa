package wordfile

import (
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
)

// rtfSkipped are groups whose text no reader sees as part of the document, beside those that are marked with a star and
// not known.
var rtfSkipped = map[string]bool{"info": true, "pict": true, "nonshppict": true, "shprslt": true, "objdata": true,
	"fldinst": true, "xe": true, "tc": true, "tcn": true, "rxe": true, "txe": true, "filetbl": true, "private": true,
	"ftnsep": true, "ftnsepc": true, "ftncn": true, "aftnsep": true, "aftnsepc": true, "aftncn": true, "template": true,
	"sp": true, "nonesttables": true, "falt": true, "panose": true, "fontemb": true, "listtable": true, "revtbl": true,
	"mmathPict": true, "mctrlPr": true, "atnid": true, "atnauthor": true, "atnref": true, "atntime": true, "atndate": true,
	"atnparent": true, "keywords": true, "comment": true, "pn": true, "bkmkstart": true, "bkmkend": true, "xmlopen": true,
	"objclass": true, "objname": true, "datafield": true, "formfield": true}

// rtfParts are groups that are parts of their own.
var rtfParts = map[string]ledger.PartKind{"header": ledger.PageHeader, "headerl": ledger.PageHeader,
	"headerr": ledger.PageHeader, "headerf": ledger.PageHeader, "footer": ledger.PageFooter, "footerl": ledger.PageFooter,
	"footerr": ledger.PageFooter, "footerf": ledger.PageFooter, "annotation": ledger.FileComment}

// rtfHolders are groups without a text of their own that hold groups with one.
var rtfHolders = map[string]bool{"object": true, "shp": true, "shpinst": true, "nesttableprops": true, "upr": true,
	"do": true}

// destination takes the control word that begins a group, and reports whether it says where the group's text goes. star
// says that a group of an unknown word is to be skipped.
func (r *rtf) destination(word string, star bool) bool {
	s := &r.now
	kind, isPart := rtfParts[word]
	switch {
	case s.to == rtfMath:
		r.openMath(word)
	case s.to == rtfFonts && rtfSkipped[word]:
		s.to = rtfSkip
	case word == "ud" && star:
		s.to = s.outside
	case isPart:
		r.openPart(kind)
	case word == "footnote":
		r.openNote()
	case word == "shptxt" || word == "dptxbxtext":
		r.openBox()
	case rtfSkipped[word]:
		s.to = rtfSkip
	case word == "fonttbl":
		s.to, r.name = rtfFonts, ""
	case word == "colortbl":
		s.to, r.color = rtfColors, -1
	case word == "stylesheet":
		s.to, r.name = rtfStyles, ""
	case word == "listtext" || word == "pntext":
		s.to, r.label, r.labelled = rtfLabel, "", true
	case rtfHolders[word]:
		if word == "object" || word == "upr" {
			s.outside = s.to
		}
		s.to = rtfNone
	case word == "result" && s.to == rtfNone:
		s.to = rtfText
	case word == "mmath" || word == "moMath" || word == "moMathPara":
		r.openMath(word)
	default:
		return star && r.skipUnknown(word)
	}
	return true
}

// rtfStarred are words that a star may stand before without a group of their own.
var rtfStarred = map[string]bool{"cs": true, "shppict": true}

func (r *rtf) skipUnknown(word string) bool {
	if rtfStarred[word] && r.now.to != rtfStyles {
		return true
	}
	r.now.to = rtfSkip
	return true
}

// openMath begins a formula or an element of one.
func (r *rtf) openMath(word string) {
	s := &r.now
	if rtfSkipped[word] {
		s.to = rtfSkip
		return
	}
	outer := s.node
	whole := s.to != rtfMath
	s.node = &block.Formula{Name: strings.TrimPrefix(word, "m"), Attrs: map[string]string{}}
	s.to = rtfMath
	node := s.node
	to := r.groups[len(r.groups)-1].to
	s.ends = func() {
		switch {
		case !whole:
			outer.Parts = append(outer.Parts, node)
		case to == rtfText:
			look := r.groups[len(r.groups)-1].run
			r.frame.text.Write(node.Line(), RunLook{Struck: look.struck, deleted: look.deleted})
		}
	}
}

// tableWord takes a control word of a table of fonts, colours or styles.
func (r *rtf) tableWord(word string, n int) {
	switch r.now.to {
	case rtfFonts:
		r.fontWord(word, n)
	case rtfColors:
		shift := map[string]int{"red": 16, "green": 8, "blue": 0}
		if s, ok := shift[word]; ok {
			r.color = max(r.color, 0)&^(0xFF<<s) | min(max(n, 0), 0xFF)<<s
		}
	case rtfStyles:
		switch word {
		case "s":
			r.entry = n
		case "outlinelevel":
			if n >= 0 && n < 6 {
				r.entered.level = n + 1
			}
		}
	}
}

// mostEntries is how many fonts or styles are kept.
const mostEntries = 10_000

// enter ends an entry of the table of fonts or styles.
func (r *rtf) enter() {
	name := strings.TrimSpace(r.name)
	if r.now.to == rtfFonts {
		if f := r.fonts[r.entry]; f != nil {
			f.name = name
		}
	} else if len(r.styles) < mostEntries {
		if level := headingName(name); level > 0 {
			r.entered.level = level
		}
		r.entered.caption = strings.EqualFold(name, "caption")
		r.styles[r.entry] = r.entered
	}
	r.name, r.entry, r.entered = "", 0, rtfStyle{}
}
