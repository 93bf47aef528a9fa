package files

import (
	"os"
	"sync"
)

// locks exclude within this process, by path, where a lock of the file system may not.
var locks sync.Map

// Lock locks a file, which is created if missing, against every process and machine that locks it, until unlock.
func Lock(path string) (unlock func(), err error) {
	own, _ := locks.LoadOrStore(path, &sync.Mutex{})
	mutex, _ := own.(*sync.Mutex) // it holds nothing else
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	mutex.Lock()
	if err := exclude(f); err != nil {
		mutex.Unlock()
		_ = f.Close() // the first error is returned
		return nil, err
	}
	return func() {
		_ = f.Close() // which unlocks it; nothing was written
		mutex.Unlock()
	}, nil
}
