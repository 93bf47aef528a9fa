package ui

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/say"
)

// Piece is a stretch of a sentence about an event: words, or the name of something.
type Piece struct {
	Kind string // "" words, "who", "name", "quote", "value", "id"
	Text string
	Href string // the page of what it names, "" if none
}

// teller says in a sentence what an event records.
type teller struct {
	c *Chrome
	r *EventRow
}

// trailPlaces are the places of the sentences (say_…).
var trailPlaces = []string{"Who", "Object", "Session", "Document", "Newer", "Before", "By", "First", "Second", "Asked",
	"Person", "Target", "N", "Claim", "From", "To", "Role", "Format", "Version", "Count", "Needed", "Factors", "Purpose",
	"Changed", "Parts", "What", "Month", "Months", "Event", "Due", "DueBefore", "Zone"}

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
		words = t.c.T(id, args...)
	} else {
		words = t.c.N(id, count, slices.DeleteFunc(args, func(a any) bool {
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

// say returns the sentence of the event; of an action without one, who did it and its name.
func (t *teller) say() []Piece {
	id := t.message()
	if t.c.T(id) == id {
		return append(t.place("Who"), Piece{Text: ": " + t.c.EventWord(t.r.Action)})
	}
	return t.fill(id, -1)
}

// HasSentence reports whether an event is told in a sentence, and not by the name of its action.
func (c *Chrome) HasSentence(r EventRow) bool {
	id := (&teller{c, &r}).message()
	return c.T(id) != id
}

// sayMany returns the sentence of n equal events.
func (t *teller) sayMany(n int) []Piece {
	id := strings.Replace(t.message(), "say_", "say_many_", 1)
	if t.c.T(id) == id {
		id = "say_many"
	}
	return t.fill(id, n)
}

// same is what events that are shown as one have in common: who, what and, of claims, in which session.
func (t *teller) same() string {
	parts := []string{t.r.Actor, t.message()}
	if t.r.Kind == "session" && t.r.number("claim") > 0 {
		parts = append(parts, t.r.ObjectID)
	}
	return strings.Join(parts, " ")
}

// message is the id of the event's sentence.
func (t *teller) message() string {
	id := "say_" + strings.ReplaceAll(t.r.Action, ".", "_")
	if v := t.variant(); v != "" {
		return id + "_" + v
	}
	return id
}

// place returns what stands in a place of a sentence.
func (t *teller) place(name string) []Piece {
	r := t.r
	switch name {
	case "Who":
		return one("who", t.c.ActorName(r.Actor, r.Name))
	case "Object":
		return t.thing(r.Kind, r.ObjectID)
	case "Session", "Document":
		if kind := strings.ToLower(name); r.Kind != kind {
			return t.thing(kind, r.text(kind))
		}
		return t.thing(r.Kind, r.ObjectID)
	case "Newer":
		return t.thing("document", r.text("newer"))
	case "Before":
		if id := r.text("revises"); id != "" {
			return t.thing("session", id)
		}
		return t.thing("pack", r.text("supersedes"))
	case "By":
		return t.thing("pack", r.text("by"))
	case "First", "Second":
		return t.thing("user", r.text(strings.ToLower(name)))
	case "Asked":
		return t.thing("user", r.text("asked_by"))
	case "What":
		return t.what()
	case "Person", "Target":
		return t.target()
	case "Claim":
		return t.claim()
	}
	return one("value", t.value(name))
}

func one(kind, text string) []Piece { return []Piece{{Kind: kind, Text: text}} }

// value returns a word or figure of the event.
func (t *teller) value(name string) string {
	c, r := t.c, t.r
	switch name {
	case "N":
		return c.Num(r.number("claim"))
	case "From", "To":
		return t.change(name)
	case "Role":
		return c.Known("role_", r.text("role"))
	case "Format":
		return strings.ToUpper(r.text("format"))
	case "Version":
		return c.Num(r.number("version"))
	case "Count":
		return c.Num(r.number(countedBy(r)))
	case "Needed":
		return c.Num(r.number("needed"))
	case "Factors":
		return t.list(strings.Fields(r.text("factors")), "say_factor_")
	case "Purpose":
		return c.Known("say_purpose_", r.text("purpose"))
	case "Changed":
		return t.edited()
	case "Parts":
		return t.list(r.texts("parts"), "pk_part_")
	case "Months":
		return c.Num(r.number("freshness_months"))
	case "Event":
		return c.EventWord(r.Action)
	case "Due":
		return c.DayWord(r.text("due_on"))
	case "DueBefore":
		return c.DayWord(r.text("was"))
	case "Zone":
		return say.Isolated(r.text("time_zone"))
	case "Month":
		return say.Isolated(c.InDigits(r.text("before")))
	}
	return ""
}

// countedBy is the detail that a sentence's figure comes from.
func countedBy(r *EventRow) string {
	switch r.Action {
	case "pack.approved":
		return "approval"
	case "login.failed":
		return "failures"
	}
	return "changed"
}

// texts returns a detail that is a list of texts.
func (r *EventRow) texts(name string) (out []string) {
	if r.Facts == nil {
		return nil
	}
	list, _ := r.Facts.Details[name].([]any)
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
		out[i] = t.c.Known(prefix, v)
	}
	return strings.Join(out, t.c.T("list_comma"))
}

// change returns a verdict or role before or after the event.
func (t *teller) change(name string) string {
	r, to := t.r, name == "To"
	switch {
	case r.Action == "user.role_changed":
		return t.c.Known("role_", r.text(strings.ToLower(name)))
	case r.Action == "passage.attached" || r.Action == "passage.detached":
		return t.verdict(r.text(strings.ToLower(name) + "_verdict"))
	case to:
		return t.verdict(r.text("verdict"))
	}
	return t.verdict(r.review().From)
}

func (t *teller) verdict(v string) string {
	return t.c.T("verdict_" + VerdictKey(ledger.Verdict(v)))
}

// edited says what an edit of a claim changed.
func (t *teller) edited() string {
	var out []string
	for _, name := range []string{"type", "importance"} {
		if v := t.r.text(name); v != "" {
			out = append(out, t.c.T("say_edited_"+name, "Value", t.c.Known(name+"_", v)))
		}
	}
	return strings.Join(out, t.c.T("list_comma"))
}

// maxQuoted is how many characters of a claim a sentence quotes.
const maxQuoted = 90

// claim quotes the claim that the event is about.
func (t *teller) claim() []Piece {
	ref := audit.Ref{Kind: audit.ClaimKind, ID: t.r.ObjectID, Claim: t.r.number("claim")}
	name := t.r.Names.Thing(ref)
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
	"user": "/admin/users/", "pack": "/packs/", "bundle": "/bundles/"}

// thing names something by what it is called now. What is erased or not stored any more is said to be so.
func (t *teller) thing(kind, id string) []Piece {
	if id == "" {
		return one("name", t.c.T("say_somebody_"+somebody(kind)))
	}
	name := t.r.Names.Thing(audit.Ref{Kind: kind, ID: id})
	switch {
	case name.Text == "" && name.State == "erased":
		return []Piece{{Kind: "name", Text: t.c.T("say_erased", "What", t.c.Known("object_", kind))}}
	case name.Text == "":
		return []Piece{{Text: t.c.Known("object_", kind) + " "}, {Kind: "id", Text: initialID(id)}}
	}
	p := Piece{Kind: "name", Text: shortened(name.Text, maxQuoted)}
	if base, ok := objectPages[kind]; ok {
		p.Href = base + id
	}
	out := []Piece{p}
	if kind == "pack" && name.Version > 0 {
		out = append(out, Piece{Text: t.c.T("list_comma") + t.c.T("say_version", "N", t.c.Num(name.Version))})
	}
	if name.State == "withdrawn" {
		out = append(out, Piece{Text: " (" + t.c.T("doc_withdrawn_word") + ")"})
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
	r := t.r
	if of := r.Names.Thing(audit.Ref{Kind: r.Kind, ID: r.ObjectID}).Of; of.ID != "" {
		return t.thing(of.Kind, of.ID)
	}
	id := r.text("object")
	for _, kind := range []string{"session", "document", "pack", "bundle", "job", "artifact", "user"} {
		if id != "" && r.Names.Thing(audit.Ref{Kind: kind, ID: id}).State != "gone" {
			return t.thing(kind, id)
		}
	}
	if user := r.text("user"); user != "" {
		return t.thing("user", user)
	}
	if kind := r.text("kind"); r.Kind == "erasure" && kind != "" {
		return one("name", t.c.Known("era_kind_", kind))
	}
	return t.thing("user", id)
}

// what says which change somebody asked for.
func (t *teller) what() []Piece {
	id := "say_what_" + strings.ReplaceAll(t.r.text("kind"), ".", "_")
	if t.c.T(id) == id {
		return one("value", t.r.text("kind"))
	}
	return t.fill(id, -1)
}
