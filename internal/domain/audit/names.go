package audit

// Ref is a thing that an event names: by its kind and id, and a claim by its session and its number, from 1.
type Ref struct {
	Kind, ID string
	Claim    int
}

// ClaimKind is the kind of a Ref to a claim; the id is its session's.
const ClaimKind = "claim"

// Name is what is shown of a thing that an event names, as it is now: names are looked up when the log is shown, the
// stored event never changes.
type Name struct {
	Text    string // title, file name, text of a claim; "" if nothing of it is told
	Version int    // of a pack
	State   string // "" in use, "withdrawn", "erased"; "gone" if it is not stored any more
	Of      Ref    // what an erasure or a request is about
}

// ReviewName is what an event of a review changed.
type ReviewName struct {
	From   string // the verdict in force before, "" if it is not known
	Sealed bool   // it is hidden from the reader: only its author sees it (rule L-18)
}

// Names are the names of what a list of events speaks of.
type Names struct {
	People  map[string]string // by actor
	Things  map[Ref]Name
	Reviews map[string]ReviewName // by the id of the review
}

// Thing returns what is shown of a thing; it is gone if it was not found.
func (n *Names) Thing(r Ref) Name {
	if n != nil {
		if found, ok := n.Things[r]; ok {
			return found
		}
	}
	return Name{State: "gone"}
}

// Facts are what an event's bytes say besides its columns.
type Facts struct {
	From    string         `json:"from"`
	Details map[string]any `json:"details"`
}

// Text returns a detail that is a text, "" if none.
func (f *Facts) Text(name string) string {
	s, _ := f.Details[name].(string)
	return s
}

// Number returns a detail that is a number, 0 if none.
func (f *Facts) Number(name string) int {
	n, _ := f.Details[name].(float64)
	return int(n)
}

// refKinds are the details that name things, with the kinds of these.
var refKinds = map[string]string{"session": "session", "revises": "session", "document": "document",
	"newer":      "document",
	"supersedes": "pack", "by": "pack", "first": "user", "second": "user", "user": "user", "asked_by": "user",
	"deputy": "user", "for": "user"}

// Refs lists what an event names.
func (e *StoredEvent) Refs(f *Facts) []Ref {
	out := []Ref{{Kind: e.Kind, ID: e.NamedID()}}
	for name, kind := range refKinds {
		if id := f.Text(name); id != "" {
			out = append(out, Ref{Kind: kind, ID: id})
		}
	}
	if id := f.Text("object"); id != "" {
		out = append(out, objectRefs(f.Text("kind"), id)...)
	}
	if n := f.Number("claim"); n > 0 && e.Kind == "session" {
		out = append(out, Ref{Kind: ClaimKind, ID: e.ObjectID, Claim: n})
	}
	return out
}

// objectRefs returns what the object of a request or an erasure may be.
func objectRefs(kind, id string) []Ref {
	switch kind {
	case "hold":
		return []Ref{{Kind: "session", ID: id}, {Kind: "document", ID: id}}
	case "pack_hold":
		return []Ref{{Kind: "pack", ID: id}}
	case "upload":
		return []Ref{{Kind: "job", ID: id}}
	case "session", "document", "pack", "bundle", "artifact":
		return []Ref{{Kind: kind, ID: id}}
	}
	return []Ref{{Kind: "user", ID: id}}
}

// NamedID is the id of an event's object: the one that a caller chose, if it is still stored.
func (e *StoredEvent) NamedID() string {
	if e.Named != "" {
		return e.Named
	}
	return e.ObjectID
}
