package db

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/natefinch/atomic"

	"sanad/internal/domain/audit"
)

// checkpointFiles keeps the newest checkpoint of each tenant in a file outside the database, so that whoever puts an
// older copy of the database in its place is noticed (rule LOG-3). A file is written after the commit and before the
// write is acknowledged: it is never ahead of the database, and behind it only by what nobody was told of yet.
// Writers that wait for each other share one writing of the newest. Where a file cannot be written the change stays,
// since it is committed; Ready says so until writing works again.
type checkpointFiles struct {
	dir string
	log *slog.Logger

	mu    sync.Mutex
	files map[string]*checkpointFile // by tenant
}

// checkpointFile is one tenant's file.
type checkpointFile struct {
	writing sync.Mutex // held while the file is written; never wait for it with checkpointFile.mu held

	newest  audit.Checkpoint // the newest that was committed here; with text and fault under checkpointFile.mu
	text    string
	written string // the text this process wrote last
	fault   error  // why the newest is not in the file, nil where it is
}

const checkpointSuffix = ".checkpoint"

func (w *checkpointFiles) path(tenant string) string {
	return filepath.Join(w.dir, tenant+checkpointSuffix)
}

// read returns a tenant's file, "" if there is none.
func (w *checkpointFiles) read(tenant string) (string, error) {
	data, err := os.ReadFile(w.path(tenant))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(data), err
}

// tenants lists whose files there are.
func (w *checkpointFiles) tenants() ([]string, error) {
	found, err := os.ReadDir(w.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for _, f := range found {
		if tenant, ok := strings.CutSuffix(f.Name(), checkpointSuffix); ok {
			out = append(out, tenant)
		}
	}
	return out, err
}

// later reports whether a log at b has seen more than at a.
func later(a, b audit.Checkpoint) bool {
	return b.Epoch > a.Epoch || b.Epoch == a.Epoch && b.Size > a.Size
}

// offer has a committed checkpoint written, unless a newer one is.
func (w *checkpointFiles) offer(c audit.Checkpoint, text string) {
	w.mu.Lock()
	if w.files == nil {
		w.files = map[string]*checkpointFile{}
	}
	f := w.files[c.Tenant]
	if f == nil {
		f = &checkpointFile{}
		w.files[c.Tenant] = f
	}
	if f.text == "" || later(f.newest, c) {
		f.newest, f.text = c, text
	}
	w.mu.Unlock()
	w.flush(f)
}

// flush brings one file up to date; who comes while it is being written waits, and mostly finds it done.
func (w *checkpointFiles) flush(f *checkpointFile) {
	f.writing.Lock()
	defer f.writing.Unlock()
	w.mu.Lock()
	c, text := f.newest, f.text
	done := f.written == text
	w.mu.Unlock()
	if done {
		return
	}
	err := w.write(f, c, text)
	if err != nil {
		w.log.Error("the checkpoint outside the database could not be written", "tenant", c.Tenant, "err", err)
	}
	w.mu.Lock()
	if f.fault = err; err == nil {
		f.written = text
	}
	w.mu.Unlock()
}

// write replaces the file, but for one that another process has made newer meanwhile.
func (w *checkpointFiles) write(f *checkpointFile, c audit.Checkpoint, text string) error {
	now, err := w.read(c.Tenant)
	if err != nil {
		return err
	}
	if now != "" && now != f.written {
		if other, err := audit.Claimed(now); err == nil && other.Tenant == c.Tenant && later(c, other) {
			return nil
		}
	}
	if err := os.MkdirAll(w.dir, 0o700); err != nil {
		return err
	}
	return atomic.WriteFile(w.path(c.Tenant), strings.NewReader(text))
}

// retry writes what could not be written before, and returns what still cannot.
func (w *checkpointFiles) retry() error {
	w.mu.Lock()
	var late []*checkpointFile
	for _, f := range w.files {
		if f.fault != nil {
			late = append(late, f)
		}
	}
	w.mu.Unlock()
	var errs []error
	for _, f := range late {
		w.flush(f)
		w.mu.Lock()
		errs = append(errs, f.fault)
		w.mu.Unlock()
	}
	return errors.Join(errs...)
}
