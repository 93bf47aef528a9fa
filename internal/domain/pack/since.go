package pack

import (
	"slices"
	"strconv"
	"time"

	"sanad/internal/domain/canonical"
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// Since is an alarm about what changed after the pack was submitted, what is open beside it, or what its sources are
// like when it is signed. Each approver acknowledges it besides the alarms that the pack itself has, which are frozen.
// It is stored with the approval and signed.
type Since struct {
	ID      string    `json:"id"`   // the kind and a digest of the objects, so that a later change is acknowledged again
	Kind    string    `json:"kind"` // one of SinceKinds
	Objects []Changed `json:"objects"`
}

// Changed is a claim or a document that changed after submission, the comment that begins an open thread, or a source.
// It is stored and signed.
type Changed struct {
	ID  string         `json:"id"`            // of the claim, document or comment, or "E1"
	Was ledger.Verdict `json:"was,omitempty"` // of a claim: its verdict in the pack, "" if it is not there, or unjudged
	Now ledger.Verdict `json:"now,omitempty"` // likewise in the ledger
}

// The kinds of what changes after submission. They are stored and signed.
const (
	SourcesWithdrawn  = "sources_withdrawn"         // documents that were withdrawn or erased
	SinceContradicted = "claims_contradicted_since" // the verdict became "contradicted"
	SinceOverridden   = "claims_overridden_since"   // a person overrode the verdict
	SinceErased       = "claims_erased_since"       // set aside, no longer in the ledger, or the ledger is gone
	ClaimsChanged     = "claims_changed"            // any other verdict, or a claim that is new
	PackThreads       = "pack_threads_open"         // threads of comments on the pack that nobody has resolved
	ClaimThreads      = "claim_threads_open"        // likewise on claims of the ledger, now; the objects are comments
)

// SinceKinds lists them and those of SourceAlarms: append only.
var SinceKinds = []string{SourcesWithdrawn, SinceContradicted, SinceOverridden, SinceErased, ClaimsChanged,
	PackThreads, ClaimThreads, SourcesReserved, SourcesStale, SourcesAged}

// ChangedSince lists what changed after the pack was submitted: in the claims, as CompareLedger found it, and in the
// documents of the ledger and those that sources name. documents are the ledger's that are in use, and those that were
// withdrawn or erased after submission, with the roots of their chunks.
func (c *Content) ChangedSince(changes *Changes, documents []ledger.Document) []Since {
	found := map[string][]Changed{}
	add := func(x *ClaimChange, kinds ...string) {
		for _, kind := range kinds {
			found[kind] = append(found[kind], Changed{ID: x.ClaimID, Was: x.Old, Now: x.New})
		}
	}
	for _, all := range [][]ClaimChange{changes.Flips, changes.Reviewed} {
		for i := range all {
			add(&all[i], all[i].kinds()...)
		}
	}
	for i := range changes.ClaimsAdded {
		kinds := changes.ClaimsAdded[i].kinds()
		if len(kinds) == 0 { // unjudged
			kinds = []string{ClaimsChanged}
		}
		add(&changes.ClaimsAdded[i], kinds...)
	}
	for i := range changes.ClaimsDropped {
		x := &changes.ClaimsDropped[i]
		if !slices.ContainsFunc(changes.ClaimsAdded, func(y ClaimChange) bool { return y.ClaimID == x.ClaimID }) {
			add(x, SinceErased)
		}
	}
	for _, d := range c.withdrawn(documents) {
		found[SourcesWithdrawn] = append(found[SourcesWithdrawn], Changed{ID: d.ID})
	}
	var out []Since
	for _, kind := range SinceKinds {
		if len(found[kind]) > 0 {
			out = append(out, newSince(kind, found[kind]))
		}
	}
	return out
}

// withdrawn returns the documents out of use that a pack's claims and sources rest on: by a passage that no document in
// use has or, where a source's passage is in none of them, by the name that the source gives.
func (c *Content) withdrawn(documents []ledger.Document) (out []*ledger.Document) {
	used, known := map[string]bool{}, map[string]bool{}
	for i := range documents {
		d := &documents[i]
		for j := range d.Chunks {
			known[d.Chunks[j].Root] = true
			used[d.Chunks[j].Root] = used[d.Chunks[j].Root] || d.Citable()
		}
	}
	roots, names := map[string]bool{}, map[string]bool{}
	for i := range c.Ledger.entries() {
		roots[c.Ledger.Entries[i].ChunkRoot] = true
	}
	for i := range c.Sources {
		x := &c.Sources[i]
		if root := bare(x.ChunkRoot); root != "" && known[root] {
			roots[root] = true
		} else {
			names[x.InternalRef], names[x.URI] = true, true
		}
	}
	delete(roots, "")
	delete(names, "")
	for i := range documents {
		d := &documents[i]
		rests := names[d.ID] || names[d.Key] || names[d.URI] ||
			slices.ContainsFunc(d.Chunks, func(x ledger.Chunk) bool { return roots[x.Root] && !used[x.Root] })
		if rests && !d.Citable() {
			out = append(out, d)
		}
	}
	return out
}

// kinds returns the alarms that a claim with another verdict or another state raises.
func (x *ClaimChange) kinds() (out []string) {
	flipped := x.Old != x.New
	if flipped && x.New == ledger.Contradicted {
		out = append(out, SinceContradicted)
	}
	if x.Overridden {
		out = append(out, SinceOverridden)
	}
	if flipped && len(out) == 0 {
		out = append(out, ClaimsChanged)
	}
	return out
}

func newSince(kind string, objects []Changed) Since {
	x := Since{Kind: kind, Objects: objects}
	x.ID = x.id()
	return x
}

// sinceDigits is how many hex digits of the digest of its objects an id has.
const sinceDigits = 16

func (x *Since) id() string {
	data, err := canonical.JSON(x.Objects)
	if err != nil {
		panic("pack: objects of an alarm: " + err.Error())
	}
	return x.Kind + ":" + Digest(data)[:sinceDigits]
}

// OpenThread is a thread of comments that nobody has resolved.
type OpenThread struct {
	ID    string // of the comment that begins it
	Claim int    // number, from 1, of the claim that it is on; 0 if it is on the pack
}

// ThreadAlarms are the alarms about open threads of a pack and of the claims of its ledger.
func ThreadAlarms(all []OpenThread) (out []Since) {
	found := map[string][]Changed{}
	for _, x := range all {
		kind := PackThreads
		if x.Claim > 0 {
			kind = ClaimThreads
		}
		found[kind] = append(found[kind], Changed{ID: x.ID})
	}
	for _, kind := range []string{PackThreads, ClaimThreads} {
		if len(found[kind]) > 0 {
			out = append(out, newSince(kind, found[kind]))
		}
	}
	return out
}

// SourceAlarms are the alarms about what the sources say, one a source, and how old they are at a time. Words decide the
// first, so that they are no part of what submission freezes.
func (c *Content) SourceAlarms(at time.Time) (out []Since) {
	add := func(kind string, refs ...string) {
		if len(refs) == 0 || kind == SourcesRestricted || kind == SourcesOwn {
			return
		}
		objects := make([]Changed, len(refs))
		for i := range refs {
			objects[i] = Changed{ID: refs[i]}
		}
		if kind != SourcesReserved {
			out = append(out, newSince(kind, objects))
			return
		}
		for i := range objects { // each says something else: one box for two would be read as one
			out = append(out, newSince(kind, objects[i:i+1]))
		}
	}
	c.sourceConcerns(add)
	add(SourcesAged, c.aged(at)...)
	return out
}

// ToRead counts the alarms of the pack, of its sources and of open threads at a time: what an approver acknowledges if
// nothing changes.
func (c *Content) ToRead(at time.Time, threads []OpenThread) int {
	return len(c.alarms()) + len(c.SourceAlarms(at)) + len(ThreadAlarms(threads))
}

// OfSources reports whether the alarm is one of SourceAlarms: its objects are sources of the pack.
func (x *Since) OfSources() bool {
	return x.Kind == SourcesReserved || x.Kind == SourcesStale || x.Kind == SourcesAged
}

// OfThreads reports whether the alarm is about open threads.
func (x *Since) OfThreads() bool { return x.Kind == PackThreads || x.Kind == ClaimThreads }

// sound reports whether the alarm is one that ChangedSince, ThreadAlarms or SourceAlarms can return.
func (x *Since) sound() bool {
	return slices.Contains(SinceKinds, x.Kind) && len(x.Objects) > 0 && x.ID == x.id()
}

// IDs returns the ids of the objects.
func (x *Since) IDs() []string {
	out := make([]string, len(x.Objects))
	for i := range x.Objects {
		out[i] = x.Objects[i].ID
	}
	return out
}

// Concern returns the alarm as an item of the alarm line.
func (x *Since) Concern() Concern {
	c := Concern{Kind: x.Kind, N: len(x.Objects)}
	if !x.OfThreads() { // whose objects are nothing that a pack holds
		c.Objects = x.IDs()
	}
	return c
}

// Alarm returns it as the pack's own alarms are: about its objects.
func (x *Since) Alarm() Alarm {
	a := Alarm{ID: x.ID, Kind: x.Kind, Object: sinceSubmission}
	if !x.OfThreads() {
		a.Claims = x.IDs()
	}
	return a
}

// sinceSubmission is the object of these alarms.
const sinceSubmission = "since_submission"

// Text returns the alarm as a sentence, in a language, to whoever may sign.
func (x *Since) Text(lang string) string { return x.say("alarm."+x.Kind, lang) }

// TextSigned is Text of an alarm that was acknowledged with an approval: what was so then.
func (x *Since) TextSigned(lang string) string {
	if x.Kind == SourcesAged {
		return x.say("alarm.sources_aged_signed", lang)
	}
	return x.Text(lang)
}

func (x *Since) say(id, lang string) string {
	if x.Kind == SourcesReserved {
		return words.In(lang).Text(id, "Source", x.Objects[0].ID)
	}
	return words.In(lang).Plural(id, len(x.Objects), strconv.Itoa(len(x.Objects)))
}

// sinceIDs returns the ids of alarms.
func sinceIDs(all []Since) []string {
	out := make([]string, len(all))
	for i := range all {
		out[i] = all[i].ID
	}
	return out
}

// SinceDigest stands for all that changed after submission in the pack's ETag; "" if nothing did.
func SinceDigest(all []Since) string {
	if len(all) == 0 {
		return ""
	}
	data, err := canonical.JSON(sinceIDs(all))
	if err != nil {
		panic("pack: ids of alarms: " + err.Error())
	}
	return Digest(data)[:sinceDigits]
}
