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
	event    []byte // with that number
	all      []Section
	sections map[string]audit.Section
	known    map[string]map[audit.PageID][]byte // pages as they are stored, by section
}

func newState(t *sqldb.Tx, of *Contents, tenant, sessionID string, no int) *state {
	return &state{t: t, all: of.Sections, tenant: tenant, session: sessionID, no: no,
		sections: map[string]audit.Section{},
		known:    map[string]map[audit.PageID][]byte{}}
}

// loadState reads a session's state; an empty one if none is stored, or none that can be read.
func loadState(t *sqldb.Tx, of *Contents, tenant, sessionID string, no int) (*state, error) {
	s := newState(t, of, tenant, sessionID, no)
	return s, loadStates(t, tenant, map[string]*state{sessionID: s})
}

// loadStates reads the states of a tenant's sessions, by their ids, into new ones.
func loadStates(t *sqldb.Tx, tenant string, into map[string]*state) error {
	list, ids := sqldb.InList(sqldb.Anys(slices.Sorted(maps.Keys(into))))
	return t.Each(`SELECT x.session_id, x.seq, x.sections, e.bytes FROM session_states x
		LEFT JOIN events e ON e.tenant_id = x.tenant_id AND e.seq = x.seq
		WHERE x.tenant_id = ? AND x.session_id IN `+list, append([]any{tenant}, ids...), func(r sqldb.Scanner) error {
		var id, text string
		var seq int64
		var event []byte
		if err := r.Scan(&id, &seq, &text, &event); err != nil {
			return err
		}
		s := into[id]
		s.seq, s.text, s.event = seq, text, event
		var list []audit.Section
		if json.Unmarshal([]byte(text), &list) != nil {
			list = nil
		}
		for _, x := range list {
			s.sections[x.Name] = x
		}
		return nil
	})
}

// logged returns the session's state digest that the event of the state holds, "" if it holds none.
func (s *state) logged() string {
	var e audit.Event
	if json.Unmarshal(s.event, &e) != nil || !about(&e, s.session) {
		return ""
	}
	c, _ := audit.ContentOf(&e)
	return c.State
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

// loadPages reads the first page of a section of each of several sessions of a tenant.
func loadPages(t *sqldb.Tx, tenant, section string, into map[string]*state) error {
	for _, s := range into {
		s.load(section)
		s.known[section][audit.PageID{}] = nil
	}
	list, ids := sqldb.InList(sqldb.Anys(slices.Sorted(maps.Keys(into))))
	return t.Each(`SELECT session_id, hashes FROM state_pages WHERE tenant_id = ? AND section = ? AND level = 0
		AND page = 0 AND session_id IN `+list, append([]any{tenant, section}, ids...), func(r sqldb.Scanner) error {
		var id string
		var hashes []byte
		err := r.Scan(&id, &hashes)
		into[id].known[section][audit.PageID{}] = hashes
		return err
	})
}

// newPages returns a bulk for pages of states.
func newPages(t *sqldb.Tx) *sqldb.Bulk {
	out := sqldb.NewBulk(t, "state_pages", "tenant_id, session_id, section, level, page, hashes")
	out.Conflict = " ON CONFLICT (tenant_id, session_id, section, level, page) DO UPDATE SET hashes = excluded.hashes"
	return out
}

// update computes the state after a change from the rows of the changed leaves, and adds its pages; filled has those of
// which all are known.
func (s *state) update(pages *sqldb.Bulk, of map[string]map[int]bool,
	filled map[string][]audit.Hash) (*audit.Content, error) {
	var changed []audit.Hash
	for i := range s.all {
		if leaves, ok := of[s.all[i].name]; ok {
			more, err := s.section(pages, &s.all[i], leaves, filled[s.all[i].name])
			if err != nil {
				return nil, fmt.Errorf("state, %s: %w", s.all[i].name, err)
			}
			changed = append(changed, more...)
		}
	}
	root, err := audit.StateRoot(s.list())
	return &audit.Content{
		Format: audit.StateFormat, Rows: audit.Hex(audit.LeafDigest(changed)), State: audit.Hex(root),
	}, err
}

// maxSingle is how many leaves of a section are read one by one; of more, all are read.
const maxSingle = 2_000

// section computes a section's tree after a change of some leaves, nil for all, which are filled. It returns the changed
// leaves' digests.
func (s *state) section(pages *sqldb.Bulk, x *Section, leaves map[int]bool,
	filled []audit.Hash) ([]audit.Hash, error) {
	old := s.sections[x.name]
	size := max(old.Size, len(filled))
	digestOf := func(leaf int) (h audit.Hash) {
		if leaf < len(filled) {
			h = filled[leaf]
		}
		return h
	}
	if leaves != nil {
		found, end, err := s.read(x, leaves)
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
	if leaves == nil && old.Size > 0 { // all rows were replaced
		// No page of zeros only is left. A single page is overwritten if it does not become one.
		overwritten := old.Size <= audit.PageSize && slices.ContainsFunc(set[:min(size, audit.PageSize)],
			func(leaf int) bool { return digestOf(leaf) != audit.Hash{} })
		if !overwritten {
			if _, err := s.t.Exec("DELETE FROM state_pages WHERE tenant_id = ? AND session_id = ? AND section = ?",
				s.tenant, s.session, x.name); err != nil {
				return nil, err
			}
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
	ids, hashes := tree.Changed()
	for i, id := range ids {
		s.known[x.name][id] = hashes[i]
		pages.Add(s.tenant, s.session, x.name, id.Level, id.Page, hashes[i])
	}
	s.sections[x.name] = audit.Section{Name: x.name, Size: size, Root: audit.Hex(root)}
	return changed, nil
}

// read returns the digests of those leaves of a section that have rows, and the number behind the last one.
func (s *state) read(x *Section, leaves map[int]bool) (found map[int]audit.Hash, end int, err error) {
	var only []int
	if len(leaves) <= maxSingle {
		only = slices.Sorted(maps.Keys(leaves))
	}
	found = map[int]audit.Hash{}
	err = x.leaves(s.t, s.tenant, s.no, x.among(only), func(leaf int, digest audit.Hash) error {
		if leaf < 0 {
			return fmt.Errorf("leaf %d", leaf)
		}
		if leaves[leaf] {
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

// newStates returns a bulk for the states of sessions.
func newStates(t *sqldb.Tx) *sqldb.Bulk {
	out := sqldb.NewBulk(t, "session_states", "tenant_id, session_id, seq, sections")
	out.Conflict = ` ON CONFLICT (tenant_id, session_id) DO UPDATE SET seq = excluded.seq, sections = excluded.sections`
	return out
}

// save adds the sections and the number of the event that holds the state digest.
func (s *state) save(states *sqldb.Bulk, seq int64) error {
	text, err := json.Marshal(s.list())
	if err == nil {
		states.Add(s.tenant, s.session, seq, string(text))
	}
	return err
}
