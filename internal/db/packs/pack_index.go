package packs

import (
	"slices"
	"strings"
	"unicode"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/pack"
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
	texts := append(slices.Clip(head), c.Statement, c.StatementAR, c.StatementEN)
	for _, f := range c.Memo.Fields() {
		texts = append(texts, f.Text)
	}
	seen = map[string]bool{}
	for _, s := range texts {
		for _, w := range sqldb.StemsOf(s, seen) {
			all = append(all, inMemo+w)
		}
	}
	return strings.Join(all, " ")
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
