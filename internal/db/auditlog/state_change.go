package auditlog

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/audit"
	"sanad/internal/words"
)

// sessionChange is the change of one session within a transaction.
type sessionChange struct {
	*state

	leaves map[string]map[int]bool // changed since the last event, by section; nil for all of a section
	filled map[string][]audit.Hash // digests of the leaves of sections whose rows were all replaced, by section
	told   *audit.Content          // of the last event, nil before it
}

// Touch says that the rows of leaves of a section are about to be changed, added or removed; without leaves, all of the
// section. Call it before the change: it compares the rows as they are with the log, so that a change never takes over
// what somebody else has changed. The next event about the session holds its new state digest; a transaction that ends
// without such an event fails. The error is a *ContentError if the rows are not those of the log.
func Touch(t *sqldb.Tx, session int, section string, leaves ...int) error {
	return touch(t, []int{session}, section, leaves)
}

// atOnce is how many sessions are read by one query.
const atOnce = 500

// TouchEach is Touch for all of a section of each of a tenant's sessions. Many take a fixed number of queries for each
// 500, and have all their changes in memory until their events are appended.
func TouchEach(t *sqldb.Tx, sessions []int, section string) error {
	for some := range slices.Chunk(sessions, atOnce) {
		if err := touch(t, some, section, nil); err != nil {
			return err
		}
	}
	return nil
}

func touch(t *sqldb.Tx, sessions []int, section string, leaves []int) error {
	if LogOf.Of(t).Undigested {
		return nil
	}
	changes, err := changesOf(t, sessions)
	if err != nil {
		return err
	}
	compared := make([]*sessionChange, 0, len(changes))
	for _, c := range changes {
		had, begun := c.leaves[section]
		if begun && had == nil {
			continue
		}
		if leaves = slices.DeleteFunc(slices.Clone(leaves),
			func(leaf int) bool { return had[leaf] }); begun && len(leaves) == 0 {
			continue
		}
		compared = append(compared, c)
	}
	if err := unchanged(t, compared, ContentsOf(t).section(section), leaves); err != nil {
		return err
	}
	for _, c := range compared {
		c.begin(section, leaves)
	}
	return nil
}

// begin notes that leaves of a section change; without leaves, all of it.
func (c *sessionChange) begin(section string, leaves []int) {
	if len(leaves) == 0 {
		c.leaves[section] = nil
		return
	}
	if c.leaves[section] == nil {
		c.leaves[section] = map[int]bool{}
	}
	for _, leaf := range leaves {
		c.leaves[section][leaf] = true
	}
}

// TouchAll is touch for all of a session.
func TouchAll(t *sqldb.Tx, session int) error {
	sections := ContentsOf(t).Sections
	for i := range sections {
		if err := Touch(t, session, sections[i].name); err != nil {
			return err
		}
	}
	return nil
}

// TouchDocument is touch for a document with its text.
func TouchDocument(t *sqldb.Tx, session, position int) error {
	return errors.Join(Touch(t, session, "documents", position), Touch(t, session, "chunks", position))
}

// BeginState says that all rows of a session are new.
func BeginState(t *sqldb.Tx, session int, tenant, id string) {
	if LogOf.Of(t).Undigested {
		return
	}
	c := &sessionChange{state: newState(t, ContentsOf(t), tenant, id, session), leaves: map[string]map[int]bool{},
		filled: map[string][]audit.Hash{}}
	for i := range c.all {
		c.leaves[c.all[i].name] = nil
	}
	remember(t, session, c)
}

func remember(t *sqldb.Tx, session int, c *sessionChange) {
	if LogOf.Of(t).changes == nil {
		LogOf.Of(t).changes, LogOf.Of(t).changesOf = map[int]*sessionChange{}, map[string]*sessionChange{}
	}
	LogOf.Of(t).changes[session], LogOf.Of(t).changesOf[c.session] = c, c
}

// changesOf returns the changes of sessions of one tenant, the same ones throughout a transaction. Their stored states
// are those of the log.
func changesOf(t *sqldb.Tx, sessions []int) ([]*sessionChange, error) {
	known := LogOf.Of(t)
	var fresh []int
	for _, no := range sessions {
		if known.changes[no] == nil {
			fresh = append(fresh, no)
		}
	}
	if err := beginChanges(t, fresh); err != nil {
		return nil, err
	}
	out := make([]*sessionChange, len(sessions))
	for i, no := range sessions {
		if out[i] = known.changes[no]; out[i] == nil {
			return nil, sql.ErrNoRows
		}
		if out[i].tenant != out[0].tenant {
			return nil, errors.New("sessions of two tenants are changed together")
		}
	}
	return out, nil
}

// beginChanges reads the states of sessions of one tenant, and compares them with the log.
func beginChanges(t *sqldb.Tx, sessions []int) error {
	if len(sessions) == 0 {
		return nil
	}
	states, tenant := map[string]*state{}, ""
	list, numbers := sqldb.InList(sqldb.Anys(sessions))
	err := t.Each("SELECT no, tenant_id, id FROM sessions WHERE no IN "+list, numbers, func(r sqldb.Scanner) error {
		s := newState(t, ContentsOf(t), "", "", 0)
		err := r.Scan(&s.no, &s.tenant, &s.session)
		states[s.session], tenant = s, s.tenant
		return err
	})
	if err != nil || len(states) == 0 {
		return err
	}
	if err := loadStates(t, tenant, states); err != nil {
		return err
	}
	for _, s := range states {
		root, err := audit.StateRoot(s.list())
		if err != nil {
			return err
		}
		if s.logged() != audit.Hex(root) {
			return contentError(audit.ContentFault{Tenant: s.tenant, Session: s.session, Kind: audit.FaultHashes})
		}
		s.event = nil
		remember(t, s.no, &sessionChange{state: s, leaves: map[string]map[int]bool{}, filled: map[string][]audit.Hash{}})
	}
	return nil
}

// unchanged returns an error if the rows of leaves, of all of a section if none, are not those of the states.
func unchanged(t *sqldb.Tx, changes []*sessionChange, x *Section, leaves []int) error {
	if len(changes) == 0 {
		return nil
	}
	states, found, numbers := map[string]*state{}, map[int]map[int]audit.Hash{}, make([]int, len(changes))
	for i, c := range changes {
		states[c.session], found[c.no], numbers[i] = c.state, map[int]audit.Hash{}, c.no
	}
	if len(changes) > 1 {
		if err := loadPages(t, changes[0].tenant, x.name, states); err != nil {
			return err
		}
	}
	if err := x.leavesOf(t, changes[0].tenant, numbers, x.among(leaves), func(no, leaf int, digest audit.Hash) error {
		found[no][leaf] = digest
		return nil
	}); err != nil {
		return err
	}
	for _, c := range changes {
		if err := c.unchanged(x, leaves, found[c.no]); err != nil {
			return err
		}
	}
	return nil
}

// unchanged returns an error if what was found is not the digests of leaves, of all of a section if none.
func (c *sessionChange) unchanged(x *Section, leaves []int, found map[int]audit.Hash) error {
	stored := c.sections[x.name]
	tree := audit.NewStateTree(stored.Size, stored.Size, c.load(x.name))
	wrong := func(leaf int) error {
		check := contentCheck{state: c.state}
		f := check.fault(audit.FaultRows, x.name, "")
		check.place(f, x, leaf)
		return contentError(*f)
	}
	if len(leaves) == 0 {
		leaves = make([]int, stored.Size)
		for i := range leaves {
			leaves[i] = i
		}
		for leaf := range found {
			if leaf < 0 || leaf >= stored.Size {
				return wrong(leaf)
			}
		}
	}
	for _, leaf := range leaves {
		var want audit.Hash
		if leaf < stored.Size {
			h, ok, err := tree.Proven(leaf, stored.Root)
			if err != nil {
				return err
			}
			if want = h; !ok {
				return wrong(leaf)
			}
		}
		if found[leaf] != want {
			return wrong(leaf)
		}
	}
	return nil
}

// ContentError means that the stored content of a session is not what the log recorded: nothing of it is changed,
// exported or signed.
type ContentError struct {
	Fault audit.ContentFault
	Err   error // a domain.Error, Unavailable
}

func (e *ContentError) Error() string { return e.Err.Error() }

// Unwrap returns the domain.Error.
func (e *ContentError) Unwrap() error { return e.Err }

func contentError(f audit.ContentFault) error {
	return &ContentError{f, &domain.Error{Kind: domain.Unavailable, Op: "db.content", Err: errors.New(f.String()),
		Message: words.Msg("refused_content_differs", "What", f.String())}}
}

// Untold returns an error if the transaction changed a session and no event holds its new state.
func Untold(t *sqldb.Tx) error {
	for _, c := range LogOf.Of(t).changes {
		if len(c.leaves) > 0 {
			return fmt.Errorf("session %s was changed without an event that holds its state digest", c.session)
		}
	}
	for _, refs := range LogOf.Of(t).records {
		return fmt.Errorf("a row of %s was changed without an event that records it", refs[0].table.Name)
	}
	return nil
}

// contentsOf returns what events say of the rows that the transaction changed, by the id of the session that they are
// about, and stores the new states; the first event has the number seq. Sessions that did not change are missing.
func contentsOf(t *sqldb.Tx, tenant string, events []Event, seq int64) (map[string]*audit.Content, error) {
	var changes []*sessionChange
	last := map[string]int64{} // of each of these sessions, the number of its last event
	for i := range events {
		c := LogOf.Of(t).changesOf[events[i].Session]
		if c == nil || c.tenant != tenant {
			continue
		}
		if _, known := last[c.session]; !known {
			changes = append(changes, c)
		}
		last[c.session] = seq + int64(i)
	}
	if len(changes) == 0 {
		return nil, nil
	}
	if err := fillChanged(t, tenant, changes); err != nil {
		return nil, err
	}
	// SQLite has the pages of its tables in memory when rows beside each other follow each other.
	slices.SortFunc(changes, func(a, b *sessionChange) int { return strings.Compare(a.session, b.session) })
	pages, states, out := newPages(t), newStates(t), map[string]*audit.Content{}
	for _, c := range changes {
		if len(c.leaves) > 0 {
			told, err := c.update(pages, c.leaves, c.filled)
			if err != nil {
				return nil, err
			}
			c.told, c.leaves, c.filled = told, map[string]map[int]bool{}, map[string][]audit.Hash{}
		}
		if c.told == nil {
			continue
		}
		out[c.session] = c.told
		if err := c.save(states, last[c.session]); err != nil {
			return nil, err
		}
	}
	return out, errors.Join(pages.Flush(), states.Flush())
}

// fillChanged reads the sections whose rows were all replaced, unless their digests are known: each section of all
// these changes together.
func fillChanged(t *sqldb.Tx, tenant string, changes []*sessionChange) error {
	for i := range changes[0].all {
		x := &changes[0].all[i]
		filled := map[int]*sessionChange{}
		var numbers []int
		for _, c := range changes {
			if leaves, begun := c.leaves[x.name]; begun && leaves == nil && c.filled[x.name] == nil {
				filled[c.no], numbers = c, append(numbers, c.no)
				c.filled[x.name] = []audit.Hash{}
			}
		}
		for some := range slices.Chunk(numbers, atOnce) {
			err := x.leavesOf(t, tenant, some, condition{}, func(no, leaf int, digest audit.Hash) error {
				if leaf < 0 {
					return fmt.Errorf("session %s, %s: leaf %d", filled[no].session, x.name, leaf)
				}
				filled[no].fill(x.name, leaf, digest)
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// fill notes the digest of a leaf of a section whose rows were all replaced.
func (c *sessionChange) fill(section string, leaf int, digest audit.Hash) {
	leaves := c.filled[section]
	for len(leaves) <= leaf {
		leaves = append(leaves, audit.Hash{})
	}
	leaves[leaf] = digest
	c.filled[section] = leaves
}
