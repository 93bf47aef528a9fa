package auditlog

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// state is the stored state of a session.
type state struct {
	t        *sqldb.Tx
	tenant   string
	session  string
	no       int
	seq      int64  // of the event that holds the state digest
	text     string // of the stored sections
	all      []Section
	sections map[string]audit.Section
	known    map[string]map[audit.PageID][]byte // pages as they are stored, by section
	pages    *sqldb.Bulk
}

func newState(t *sqldb.Tx, of *Contents, tenant, sessionID string, no int) *state {
	return &state{t: t, all: of.Sections, tenant: tenant, session: sessionID, no: no,
		sections: map[string]audit.Section{},
		known:    map[string]map[audit.PageID][]byte{}}
}

// loadState reads a session's state; an empty one if none is stored, or none that can be read.
func loadState(t *sqldb.Tx, of *Contents, tenant, sessionID string, no int) (*state, error) {
	s := newState(t, of, tenant, sessionID, no)
	err := t.Row("SELECT seq, sections FROM session_states WHERE tenant_id = ? AND session_id = ?",
		[]any{tenant, sessionID}, &s.seq, &s.text)
	if sqldb.NoRow(err) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	var list []audit.Section
	if json.Unmarshal([]byte(s.text), &list) != nil {
		list = nil
	}
	for _, x := range list {
		s.sections[x.Name] = x
	}
	return s, nil
}

// digestAt returns the session's state digest that an event holds, "" if it holds none.
func (s *state) digestAt(seq int64) (string, error) {
	var data []byte
	err := s.t.Row("SELECT bytes FROM events WHERE tenant_id = ? AND seq = ?", []any{s.tenant, seq}, &data)
	if sqldb.NoRow(err) {
		return "", nil
	}
	var e audit.Event
	if err != nil || json.Unmarshal(data, &e) != nil || !about(&e, s.session) {
		return "", err
	}
	c, _ := audit.ContentOf(&e)
	return c.State, nil
}

// load returns a reader of a section's pages.
func (s *state) load(section string) func(audit.PageID) ([]byte, error) {
	if s.known[section] == nil {
		s.known[section] = map[audit.PageID][]byte{}
	}
	return func(id audit.PageID) (out []byte, err error) {
		out, ok := s.known[section][id]
		if ok {
			return out, nil
		}
		err = s.t.Row(`SELECT hashes FROM state_pages WHERE tenant_id = ? AND session_id = ? AND section = ?
			AND level = ? AND page = ?`,
			[]any{s.tenant, s.session, section, id.Level, id.Page}, &out)
		if sqldb.NoRow(err) {
			out, err = nil, nil
		}
		s.known[section][id] = out
		return out, err
	}
}

// update computes the state after a change from the rows of the changed leaves; filled has those of which all are
// known.
func (s *state) update(of map[string]map[int]bool, filled map[string][]audit.Hash) (*audit.Content, error) {
	s.pages = sqldb.NewBulk(s.t, "state_pages", "tenant_id, session_id, section, level, page, hashes")
	s.pages.Conflict = " ON CONFLICT (tenant_id, session_id, section, level, page) DO UPDATE SET hashes = excluded.hashes"
	var changed []audit.Hash
	for i := range s.all {
		if leaves, ok := of[s.all[i].name]; ok {
			more, err := s.section(&s.all[i], leaves, filled[s.all[i].name])
			if err != nil {
				return nil, fmt.Errorf("state, %s: %w", s.all[i].name, err)
			}
			changed = append(changed, more...)
		}
	}
	if err := s.pages.Flush(); err != nil {
		return nil, err
	}
	root, err := audit.StateRoot(s.list())
	return &audit.Content{
		Format: audit.StateFormat, Rows: audit.Hex(audit.LeafDigest(changed)), State: audit.Hex(root),
	}, err
}

// maxSingle is how many leaves of a section are read one by one; of more, all are read.
const maxSingle = 2_000

// section computes a section's tree after a change of some leaves, nil for all. It returns the changed leaves' digests.
func (s *state) section(x *Section, leaves map[int]bool, filled []audit.Hash) ([]audit.Hash, error) {
	old := s.sections[x.name]
	size := max(old.Size, len(filled))
	digestOf := func(leaf int) (h audit.Hash) {
		if leaf < len(filled) {
			h = filled[leaf]
		}
		return h
	}
	if leaves != nil || filled == nil {
		found, end, err := s.Read(x, leaves)
		if err != nil {
			return nil, err
		}
		size = max(old.Size, end)
		digestOf = func(leaf int) audit.Hash { return found[leaf] }
	}
	if size == 0 {
		return nil, nil
	}
	set := slices.Sorted(maps.Keys(leaves))
	if leaves == nil {
		set = make([]int, size)
		for i := range set {
			set[i] = i
		}
	}
	if leaves == nil && old.Size > 0 { // all rows were replaced: no page of zeros only is left
		if _, err := s.t.Exec("DELETE FROM state_pages WHERE tenant_id = ? AND session_id = ? AND section = ?",
			s.tenant,
			s.session, x.name); err != nil {
			return nil, err
		}
		old.Size, s.known[x.name] = 0, nil
	}
	tree := audit.NewStateTree(size, old.Size, s.load(x.name))
	changed := make([]audit.Hash, 0, len(set))
	for _, leaf := range set {
		if leaf >= size {
			continue // it has no rows and never had
		}
		digest := digestOf(leaf)
		if err := tree.Set(leaf, digest); err != nil {
			return nil, err
		}
		changed = append(changed, digest)
	}
	root, err := tree.Root()
	if err != nil {
		return nil, err
	}
	ids, pages := tree.Changed()
	for i, id := range ids {
		s.known[x.name][id] = pages[i]
		s.pages.Add(s.tenant, s.session, x.name, id.Level, id.Page, pages[i])
	}
	s.sections[x.name] = audit.Section{Name: x.name, Size: size, Root: audit.Hex(root)}
	return changed, nil
}

// Read returns the digests of those leaves of a section that have rows, nil for all, and the number behind the last
// one.
func (s *state) Read(x *Section, leaves map[int]bool) (found map[int]audit.Hash, end int, err error) {
	var only []int
	if leaves != nil && len(leaves) <= maxSingle {
		only = slices.Sorted(maps.Keys(leaves))
	}
	found = map[int]audit.Hash{}
	err = x.leaves(s.t, s.tenant, s.no, x.among(only), func(leaf int, digest audit.Hash) error {
		if leaf < 0 {
			return fmt.Errorf("leaf %d", leaf)
		}
		if leaves == nil || leaves[leaf] {
			found[leaf], end = digest, max(end, leaf+1)
		}
		return nil
	})
	return found, end, err
}

// list returns the sections that have leaves, in their order.
func (s *state) list() (out []audit.Section) {
	for i := range s.all {
		if x := s.sections[s.all[i].name]; x.Size > 0 {
			out = append(out, x)
		}
	}
	return out
}

// save stores the sections and the event that holds the state digest.
func (s *state) save(seq int64) error {
	text, err := json.Marshal(s.list())
	if err != nil {
		return err
	}
	_, err = s.t.Exec(`INSERT INTO session_states (tenant_id, session_id, seq, sections) VALUES (?, ?, ?, ?)
		ON CONFLICT (tenant_id, session_id) DO UPDATE SET seq = excluded.seq,
		sections = excluded.sections`, s.tenant, s.session, seq, string(text))
	return err
}
