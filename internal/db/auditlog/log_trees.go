package auditlog

import (
	"sync"

	"sanad/internal/domain/audit"
)

// trees caches the newest tree of each log that this process has appended to, so that appending reads no hashes.
type trees struct {
	mu   sync.Mutex
	last map[string]audit.Tree
}

// get returns a copy of the tree if it is that of the stored head.
func (x *trees) get(tenant string, head audit.TreeHead) (audit.Tree, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	tree, ok := x.last[tenant]
	if !ok || tree.Size() != head.Size || tree.Root() != head.Root {
		return audit.Tree{}, false
	}
	return tree.Clone(), true
}

func (x *trees) put(tenant string, tree audit.Tree) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.last == nil {
		x.last = map[string]audit.Tree{}
	}
	x.last[tenant] = tree
}
