package auditlog

import (
	"errors"
	"fmt"
	"slices"

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
	if LogOf.Of(t).Undigested {
		return nil
	}
	c, err := changeOf(t, session)
	if err != nil {
		return err
	}
	had, begun := c.leaves[section]
	if begun && had == nil {
		return nil
	}
	if leaves = slices.DeleteFunc(slices.Clone(leaves),
		func(leaf int) bool { return had[leaf] }); begun && len(leaves) == 0 {
		return nil
	}
	if err := c.unchanged(ContentsOf(t).section(section), leaves); err != nil {
		return err
	}
	if len(leaves) == 0 {
		c.leaves[section] = nil
		return nil
	}
	if had == nil {
		had = map[int]bool{}
		c.leaves[section] = had
	}
	for _, leaf := range leaves {
		had[leaf] = true
	}
	return nil
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

// changeOf returns the change of a session, the same one throughout a transaction. Its stored state is that of the log.
func changeOf(t *sqldb.Tx, session int) (*sessionChange, error) {
	if c := LogOf.Of(t).changes[session]; c != nil {
		return c, nil
	}
	var tenant, id string
	if err := t.Row("SELECT tenant_id, id FROM sessions WHERE no = ?", []any{session}, &tenant, &id); err != nil {
		return nil, err
	}
	s, err := loadState(t, ContentsOf(t), tenant, id, session)
	if err != nil {
		return nil, err
	}
	c := &sessionChange{state: s, leaves: map[string]map[int]bool{}, filled: map[string][]audit.Hash{}}
	root, err := audit.StateRoot(s.list())
	if err != nil {
		return nil, err
	}
	logged, err := s.digestAt(s.seq)
	if err != nil {
		return nil, err
	}
	if logged != audit.Hex(root) {
		return nil, contentError(audit.ContentFault{Tenant: tenant, Session: id, Kind: audit.FaultHashes})
	}
	remember(t, session, c)
	return c, nil
}

// unchanged returns an error if the rows of leaves, of all of a section if none, are not those of the state.
func (c *sessionChange) unchanged(x *Section, leaves []int) error {
	stored := c.sections[x.name]
	tree := audit.NewStateTree(stored.Size, stored.Size, c.load(x.name))
	found := map[int]audit.Hash{}
	if err := x.leaves(c.t, c.tenant, c.no, x.among(leaves), func(leaf int, digest audit.Hash) error {
		found[leaf] = digest
		return nil
	}); err != nil {
		return err
	}
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

// contentOf returns what the next event about a session says of the rows that the transaction changed, and stores the
// new state; nil if it changed none. seq is the event's number.
func contentOf(t *sqldb.Tx, tenant, sessionID string, seq int64) (*audit.Content, error) {
	c := LogOf.Of(t).changesOf[sessionID]
	if c == nil || c.tenant != tenant {
		return nil, nil
	}
	if len(c.leaves) > 0 {
		told, err := c.update(c.leaves, c.filled)
		if err != nil {
			return nil, err
		}
		c.told, c.leaves, c.filled = told, map[string]map[int]bool{}, map[string][]audit.Hash{}
	}
	if c.told == nil {
		return nil, nil
	}
	return c.told, c.save(seq)
}
