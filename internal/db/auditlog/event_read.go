package auditlog

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// LogHead reads a log's newest tree head; if none yet, found is false and the head is that of an empty log.
func LogHead(t *sqldb.Tx, tenant string) (head audit.TreeHead, found bool, err error) {
	var root []byte
	err = t.Row("SELECT epoch, size, root, checkpoint FROM log_heads WHERE tenant_id = ?", []any{tenant},
		&head.Epoch, &head.Size, &root, &head.Checkpoint)
	if sqldb.NoRow(err) {
		var empty audit.Tree
		return audit.TreeHead{Epoch: 1, Root: empty.Root()}, false, nil
	}
	head.Root = hashOf(root)
	return head, err == nil, err
}

// hashOf reads a stored hash. An invalid one is the zero Hash, which no node has.
func hashOf(column []byte) (h audit.Hash) {
	if len(column) == len(h) {
		copy(h[:], column)
	}
	return h
}

// StoredHashes returns a reader of a tenant's tree nodes, by tlog's numbers, with one query per call.
func StoredHashes(t *sqldb.Tx, tenant string) tlog.HashReaderFunc {
	return func(indexes []int64) ([]audit.Hash, error) {
		if len(indexes) == 0 {
			return nil, nil
		}
		values := make([]any, len(indexes))
		for i, n := range indexes {
			values[i] = n
		}
		list, args := sqldb.InList(values)
		found := map[int64]audit.Hash{}
		err := t.Each("SELECT n, hash FROM log_hashes WHERE tenant_id = ? AND n IN "+list,
			append([]any{tenant}, args...), func(r sqldb.Scanner) error {
				var n int64
				var column []byte
				err := r.Scan(&n, &column)
				found[n] = hashOf(column)
				return err
			})
		if err != nil {
			return nil, err
		}
		out := make([]audit.Hash, len(indexes))
		for i, n := range indexes {
			if out[i] = found[n]; out[i] == (audit.Hash{}) {
				return nil, fmt.Errorf("stored hash %d: %w", n, errNoHash)
			}
		}
		return out, nil
	}
}

// errNoHash means that a tree's node is not stored or invalid.
var errNoHash = errors.New("the log's tree lacks a stored hash")

// loadTree reads the tree of a head from its stored hashes; ok is false if they do not give the head's root.
func loadTree(t *sqldb.Tx, tenant string, head audit.TreeHead) (tree audit.Tree, ok bool, err error) {
	edge, err := StoredHashes(t, tenant)(audit.Edge(head.Size))
	if errors.Is(err, errNoHash) {
		return audit.Tree{}, false, nil
	}
	if err != nil {
		return audit.Tree{}, false, err
	}
	tree = audit.LoadTree(head.Size, edge)
	return tree, tree.Root() == head.Root, nil
}

// Logged is where the log names the object of a row, first (min) or last (max), 0 where it does not: a number that
// grows, for tables without one.
func Logged(which, kind, alias, id string) string {
	return "coalesce((SELECT " + which + "(e.seq) FROM events e WHERE e.tenant_id = " + alias +
		".tenant_id AND e.object_kind = '" + kind + "' AND e.object_id = " + alias + "." + id + "), 0)"
}
