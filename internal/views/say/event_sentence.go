package say

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
)

// Piece is a stretch of a sentence about an event: words, or the name of something.
type Piece struct {
	Kind string // "" words, "who", "name", "quote", "value", "id"
	Text string
	Href string // the page of what it names, "" if none
}

// teller says in a sentence what an event records.
type teller struct {
	reader *Reader
	event  *Event
	all    []Event // the events that are told as one, nil for one
}

// trailPlaces are the places of the sentences (say_…).
var trailPlaces = []string{"Who", "Object", "Session", "Document", "Newer", "Before", "By", "First", "Second", "Asked",
	"Person", "Target", "N", "Claim", "From", "To", "Role", "Format", "Version", "Count", "Needed", "Factors", "Purpose",
	"Changed", "Parts", "What", "Deputy", "For", "Month", "Months", "Event", "Due", "DueBefore", "Zone", "Mode", "Objects"}

// The marks around a place in a message, from the private use area.
const placeStart, placeEnd = "\uE000", "\uE001"

// fill turns a message into pieces; count chooses the plural form, -1 for a message without.
func (t *teller) fill(id string, count int) []Piece {
	args := make([]any, 0, 2*len(trailPlaces))
	for _, p := range trailPlaces {
		args = append(args, p, placeStart+p+placeEnd)
	}
	words := ""
	if count < 0 {
		words = t.reader.T(id, args...)
	} else {
		words = t.reader.N(id, count, slices.DeleteFunc(args, func(a any) bool {
			return a == "N" || a == placeStart+"N"+placeEnd
		})...)
	}
	var out []Piece
	for before, rest, more := strings.Cut(words, placeStart); ; before, rest, more = strings.Cut(rest, placeStart) {
		if before != "" {
			out = append(out, Piece{Text: before})
		}
		if !more {
			return out
		}
		place, after, _ := strings.Cut(rest, placeEnd)
		out, rest = append(out, t.place(place)...), after
	}
}

// Sentence tells an event; of an action without a sentence of its own, who did it and its name.
func (r *Reader) Sentence(e *Event) []Piece {
	t, id := teller{reader: r, event: e}, e.message()
	if r.T(id) == id {
		return append(t.place("Who"), Piece{Text: ": " + r.EventWord(e.Action)})
	}
	return t.fill(id, -1)
}

// SentenceOfMany tells events that are equal in Same as one. Where they have no sentence of their own it names the first
// things that they are about.
func (r *Reader) SentenceOfMany(all []Event) []Piece {
	e := &all[len(all)-1]
	t := teller{r, e, all}
	id := strings.Replace(e.message(), "say_", "say_many_", 1)
	if r.T(id) == id {
		id = "say_many"
	}
	return t.fill(id, len(all))
}

// maxObjects is how many things a sentence of several events names.
const maxObjects = 3

// objects names what the events are about, each thing once, those that have pages alone.
func (t *teller) objects() (out []Piece) {
	var seen []string
	for i := range t.all {
		e := &t.all[i]
		if objectPages[e.Kind] == "" || slices.Contains(seen, e.ObjectID) ||
			e.Names.Thing(audit.Ref{Kind: e.Kind, ID: e.ObjectID}).Text == "" {
			continue
		}
		if seen = append(seen, e.ObjectID); len(seen) > maxObjects {
			return append(out, Piece{Text: "…"})
		}
		apart := t.reader.T("list_comma")
		if out == nil {
			apart = ": "
		}
		one := teller{reader: t.reader, event: e}
		out = append(out, Piece{Text: apart}, one.thing(e.Kind, e.ObjectID)[0])
	}
	return out
}

// Same is what events that are told as one have in common: who, what and, of claims, in which session and in which bulk
// step.
func (e *Event) Same() string {
	parts := []string{e.Actor, e.message()}
	if e.Claim() > 0 {
		parts = append(parts, e.ObjectID, e.text("batch"))
	}
	return strings.Join(parts, " ")
}

// place returns what stands in a place of a sentence.
func (t *teller) place(name string) []Piece {
	e := t.event
	switch name {
	case "Who":
		return one("who", t.reader.ActorName(e.Actor, e.Name))
	case "Object":
		return t.thing(e.Kind, e.ObjectID)
	case "Session", "Document":
		if kind := strings.ToLower(name); e.Kind != kind {
			return t.thing(kind, e.text(kind))
		}
		return t.thing(e.Kind, e.ObjectID)
	case "Newer":
		return t.thing("document", e.text("newer"))
	case "Before":
		if id := e.text("revises"); id != "" {
			return t.thing("session", id)
		}
		return t.thing("pack", e.text("supersedes"))
	case "By":
		return t.thing("pack", e.text("by"))
	case "First", "Second":
		return t.thing("user", e.text(strings.ToLower(name)))
	case "Asked":
		return t.thing("user", e.text("asked_by"))
	case "Deputy", "For":
		return t.thing("user", e.text(strings.ToLower(name)))
	case "What":
		return t.what()
	case "Person", "Target":
		return t.target()
	case "Claim":
		return t.claim()
	case "Objects":
		return t.objects()
	}
	return one("value", t.value(name))
}

func one(kind, text string) []Piece { return []Piece{{Kind: kind, Text: text}} }

// value returns a word or figure of the event.
func (t *teller) value(name string) string {
	r, e := t.reader, t.event
	switch name {
	case "N":
		return r.Num(e.number("claim"))
	case "From", "To":
		return t.change(name)
	case "Role":
		return r.Known("role_", e.text("role"))
	case "Format":
		return strings.ToUpper(e.text("format"))
	case "Version":
		return r.Num(e.number("version"))
	case "Count":
		return r.Num(e.number(countedBy(e)))
	case "Needed":
		return r.Num(e.number("needed"))
	case "Factors":
		return t.list(strings.Fields(e.text("factors")), "say_factor_")
	case "Purpose":
		return r.Known("say_purpose_", e.text("purpose"))
	case "Changed":
		return t.edited()
	case "Parts":
		return t.list(e.texts("parts"), "pk_part_")
	case "Months":
		return r.Num(e.number("freshness_months"))
	case "Event":
		return r.EventWord(e.Action)
	case "Due":
		return r.DayWord(e.text("due_on"))
	case "DueBefore":
		return r.DayWord(e.text("was"))
	case "Mode":
		return r.Known("mode_", e.text("second_review"))
	case "Zone":
		return Isolated(e.text("time_zone"))
	case "Month":
		return Isolated(r.InDigits(e.text("before")))
	}
	return ""
}

// countedBy is the detail that a sentence's figure comes from.
func countedBy(e *Event) string {
	switch e.Action {
	case "pack.approved":
		return "approval"
	case "login.failed":
		return "failures"
	}
	return "changed"
}

// texts returns a detail that is a list of texts.
func (e *Event) texts(name string) (out []string) {
	if e.Facts == nil {
		return nil
	}
	list, _ := e.Facts.Details[name].([]any)
	for _, x := range list {
		if s, ok := x.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// list joins the words for several values.
func (t *teller) list(values []string, prefix string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = t.reader.Known(prefix, v)
	}
	return strings.Join(out, t.reader.T("list_comma"))
}

// change returns a verdict or role before or after the event.
func (t *teller) change(name string) string {
	e, to := t.event, name == "To"
	switch {
	case e.Action == "user.role_changed":
		return t.reader.Known("role_", e.text(strings.ToLower(name)))
	case e.Action == "passage.attached" || e.Action == "passage.detached":
		return t.reader.Verdict(ledger.Verdict(e.text(strings.ToLower(name) + "_verdict")))
	case to:
		return t.reader.Verdict(ledger.Verdict(e.text("verdict")))
	}
	return t.reader.Verdict(ledger.Verdict(e.review().From))
}

// edited says what an edit of a claim changed.
func (t *teller) edited() string {
	var out []string
	for _, name := range []string{"type", "importance"} {
		if v := t.event.text(name); v != "" {
			out = append(out, t.reader.T("say_edited_"+name, "Value", t.reader.Known(name+"_", v)))
		}
	}
	return strings.Join(out, t.reader.T("list_comma"))
}

// maxQuoted is how many characters of a claim a sentence quotes.
const maxQuoted = 90

// claim quotes the claim that the event is about.
func (t *teller) claim() []Piece {
	ref := audit.Ref{Kind: audit.ClaimKind, ID: t.event.ObjectID, Claim: t.event.number("claim")}
	name := t.event.Names.Thing(ref)
	if name.Text == "" {
		return nil
	}
	return []Piece{{Kind: "quote", Text: shortened(name.Text, maxQuoted),
		Href: "/sessions/" + ref.ID + "?claim=" + strconv.Itoa(ref.Claim)}}
}

// shortened cuts a text at the end of a word, at most at so many characters.
func shortened(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	cut := string([]rune(s)[:most])
	if i := strings.LastIndexByte(cut, ' '); i > most/2 {
		cut = cut[:i]
	}
	return cut + "…"
}

// objectPages maps kinds of objects to the pages that show them.
var objectPages = map[string]string{"webhook": "/admin/webhooks/", "session": "/sessions/", "document": "/documents/",
	"user": "/admin/users/", "pack": "/packs/", "bundle": "/bundles/",
	"library": "/library/"}

// typedNames are the kinds without a page of their own whose names are words that somebody typed; nothing but quotation
// marks tells them from the sentence.
var typedNames = map[string]bool{"decision": true, "job": true, "view": true, "token": true, "model": true}

// thing names something by what it is called now. What is erased or not stored any more is said to be so.
func (t *teller) thing(kind, id string) []Piece {
	if id == "" {
		return one("name", t.reader.T("say_somebody_"+somebody(kind)))
	}
	name := t.event.Names.Thing(audit.Ref{Kind: kind, ID: id})
	switch {
	case name.Text == "" && name.State == "erased":
		return []Piece{{Kind: "name", Text: t.reader.T("say_erased", "What", t.reader.Known("object_", kind))}}
	case name.Text == "":
		return []Piece{{Text: t.reader.Known("object_", kind) + " "}, {Kind: "id", Text: initialID(id)}}
	}
	p := Piece{Kind: "name", Text: shortened(name.Text, maxQuoted)}
	if base, ok := objectPages[kind]; ok {
		p.Href = base + id
	} else if typedNames[kind] {
		p.Kind = "quote"
	}
	out := []Piece{p}
	if kind == "pack" && name.Version > 0 {
		out = append(out, Piece{Text: t.reader.T("list_comma") + t.reader.T("say_version", "N", t.reader.Num(name.Version))})
	}
	if name.State == "withdrawn" {
		out = append(out, Piece{Text: " (" + t.reader.T("doc_withdrawn_word") + ")"})
	}
	return out
}

// somebody tells whether something without an id is a person or a thing.
func somebody(kind string) string {
	if kind == "user" {
		return "person"
	}
	return "thing"
}

// target names what an erasure or a request for a change is about.
func (t *teller) target() []Piece {
	e := t.event
	if of := e.Names.Thing(audit.Ref{Kind: e.Kind, ID: e.ObjectID}).Of; of.ID != "" {
		return t.thing(of.Kind, of.ID)
	}
	id := e.text("object")
	for _, kind := range []string{"session", "document", "pack", "library", "bundle", "job", "artifact", "user"} {
		if id != "" && e.Names.Thing(audit.Ref{Kind: kind, ID: id}).State != "gone" {
			return t.thing(kind, id)
		}
	}
	if user := e.text("user"); user != "" {
		return t.thing("user", user)
	}
	if kind := e.text("kind"); e.Kind == "erasure" && kind != "" {
		return one("name", t.reader.Known("era_kind_", kind))
	}
	return t.thing("user", id)
}

// what says which change somebody asked for.
func (t *teller) what() []Piece {
	id := "say_what_" + strings.ReplaceAll(t.event.text("kind"), ".", "_")
	if t.reader.T(id) == id {
		return one("value", t.event.text("kind"))
	}
	return t.fill(id, -1)
}
