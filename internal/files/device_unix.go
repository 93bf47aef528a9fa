//go:build unix

package files

import (
	"os"
	"path/filepath"
	"syscall"
)

// SameDevice reports whether two folders are on one device; of a folder that does not exist yet, its nearest parent
// counts. It is false if that cannot be told.
func SameDevice(a, b string) bool {
	x, ok1 := deviceOf(a)
	y, ok2 := deviceOf(b)
	return ok1 && ok2 && x == y
}

func deviceOf(path string) (uint64, bool) {
	for {
		info, err := os.Stat(path)
		if err == nil {
			stat, ok := info.Sys().(*syscall.Stat_t)
			if !ok {
				return 0, false
			}
			return uint64(stat.Dev), true //nolint:unconvert // its type differs between systems; only equality counts
		}
		up := filepath.Dir(path)
		if up == path {
			return 0, false
		}
		path = up
	}
}
