package packs

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/pack"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/find"
)

// inMemo begins the words of everything by which a pack is found: its head, its decision and its memo. The words of the
// head alone, with its ids, stand in the index as they are.
const inMemo = "m··"

// packScope returns the beginning of the words that a search looks for. An id is looked for in the head alone: its
// parts are words and numbers, which memos have too.
func packScope(query string) string {
	query = strings.TrimSpace(query)
	if !strings.ContainsFunc(query, unicode.IsSpace) && strings.ContainsAny(query, "_:/@") {
		return ""
	}
	return inMemo
}

// packWords returns the words of a pack in the index.
func packWords(tenant string, c *pack.Content) string {
	head := append(headWords(&c.Header), c.PackID)
	all, seen := []string{sqldb.TenantWord(tenant)}, map[string]bool{}
	for _, s := range head {
		all = append(all, sqldb.StemsOf(s, seen)...)
	}
	seen = map[string]bool{}
	for _, s := range append(slices.Clip(head), packTexts(c)...) {
		for _, w := range sqldb.StemsOf(s, seen) {
			all = append(all, inMemo+w)
		}
	}
	return strings.Join(all, " ")
}

// packTexts returns the decision and the memo of a pack, as far as they are searched.
func packTexts(c *pack.Content) []string {
	texts := []string{c.Statement, c.StatementAR, c.StatementEN}
	for _, f := range c.Memo.Fields() {
		texts = append(texts, f.Text)
	}
	return texts
}

const (
	// excerptLength is how much of a pack is shown where it was found, in code points.
	excerptLength = 280
	// mostExcerpted is how large a pack may be for an excerpt of it, in code points: a larger one is found without.
	mostExcerpted = 1 << 20
)

// PackExcerpts returns, by the ids of packs that were found, the piece of the decision or of the memo that has the words
// of the search. A pack that was found by its title or an id has none.
func (store *Store) PackExcerpts(ctx context.Context, tenant string, q *pack.Query,
	packs []string) (map[string]text.Excerpt, error) {
	if len(packs) == 0 {
		return nil, nil
	}
	ids, err := sqldb.JSONText(packs)
	if err != nil {
		return nil, err
	}
	words := find.NewFinder(q.Text, q.Near)
	var out map[string]text.Excerpt
	err = store.Read(ctx, "PackExcerpts", func(t *sqldb.Tx) error {
		out = map[string]text.Excerpt{}
		return t.Each(`SELECT pack_id, content FROM evidence_packs WHERE tenant_id = ?
			AND pack_id IN (SELECT value FROM json_each(?)) AND length(content) <= ?`,
			[]any{tenant, ids, mostExcerpted}, func(r sqldb.Scanner) error {
				var id string
				var c pack.Content
				if err := r.Scan(&id, sqldb.JSONInto(&c)); err != nil {
					return err
				}
				for _, s := range packTexts(&c) {
					if e := words.Excerpt(s, excerptLength); len(e.Marks) > len(out[id].Marks) {
						out[id] = e
					}
				}
				return nil
			})
	})
	return out, err
}

// index replaces the words by which a draft is found.
func (p *storedPack) index(t *sqldb.Tx) error {
	no := 0
	err := t.Row("SELECT no FROM evidence_packs WHERE tenant_id = ? AND pack_id = ?",
		[]any{p.tenant, p.view.Life.PackID}, &no)
	if err != nil {
		return err
	}
	return reindexPack(t, no, p.tenant, &p.view.Content)
}

func reindexPack(t *sqldb.Tx, no int, tenant string, c *pack.Content) error {
	if err := sqldb.DropWords(t, "pack_search", tenant, no, no+1); err != nil {
		return err
	}
	return sqldb.PutWords(t, "pack_search", tenant, no, packWords(tenant, c))
}
