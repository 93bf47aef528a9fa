package isolated_test

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/isolated"
	"sanad/internal/ocr"
)

// scanner is a shell script in place of the processes that read a scan: a page is drawn when its pipe is
// opened and closed, and every page says the same.
const scanner = `case "$1" in
page) cat <"%[1]s/page$3" ;;
picture) cat "%[1]s/ready" ;;
words) cat "%[1]s/words" ;;
*) cat ;;
esac`

// scanned returns processes that read scans of three pages in one slot, and their folder.
func scanned(t *testing.T) (p *isolated.Processes, dir string) {
	t.Helper()
	dir = t.TempDir()
	tool := "#!/bin/sh\ncase \"$1\" in --version) echo tesseract 5 ;; *) echo ara eng ;; esac\n"
	for _, name := range []string{"tesseract", "pdftoppm"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(tool), 0o700))
	}
	var ready bytes.Buffer
	require.NoError(t, gob.NewEncoder(&ready).Encode(struct{ Picture []byte }{[]byte("P5")}))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ready"), ready.Bytes(), 0o600))
	words := []byte("5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t96\tLeave\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "words"), words, 0o600))
	for n := range 3 {
		require.NoError(t, syscall.Mkfifo(filepath.Join(dir, fmt.Sprint("page", n+1)), 0o600))
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return isolated.WithOneSlot([]string{"/bin/sh", "-c", fmt.Sprintf(scanner, dir), "sanad"}), dir
}

// begun waits until a page is being read, and returns the pipe that ends that.
func begun(t *testing.T, dir string, page int) *os.File {
	t.Helper()
	pipe, err := os.OpenFile(filepath.Join(dir, fmt.Sprint("page", page)), os.O_WRONLY, 0)
	require.NoError(t, err)
	return pipe
}

// draw lets a page be drawn once it is being read.
func draw(t *testing.T, dir string, page int) {
	t.Helper()
	require.NoError(t, begun(t, dir, page).Close())
}

// TestOthersReadBetweenPagesOfAScan: a small file of somebody else in the tenant is read after the page of a long scan
// that is being read, not after the scan.
func TestOthersReadBetweenPagesOfAScan(t *testing.T) {
	p, dir := scanned(t)
	reader, err := ocr.NewIsolated(t.Context(), p)
	require.NoError(t, err)
	type result struct {
		text *ocr.Text
		err  error
	}
	scan, small := make(chan result, 1), make(chan error, 1)
	go func() {
		text, err := reader.Read(isolated.For(t.Context(), "tenant"), []byte("%PDF"), []int{1, 2, 3})
		scan <- result{text: text, err: err}
	}()
	first := begun(t, dir, 1) // in the only slot
	go func() {
		ctx := isolated.For(t.Context(), "tenant")
		release, err := p.Acquire(ctx)
		if err == nil {
			defer release()
			_, err = p.Run(ctx, []byte("A small file."))
		}
		small <- err
	}()
	require.Eventually(t, func() bool { return p.Waiting() == 1 }, time.Minute, time.Millisecond)
	require.NoError(t, first.Close())
	require.NoError(t, <-small)
	require.Empty(t, scan, "two pages of the scan are still to be read")
	draw(t, dir, 2)
	draw(t, dir, 3)
	got := <-scan
	require.NoError(t, got.err)
	require.Len(t, got.text.Pages, 3)
	for _, page := range got.text.Pages {
		require.Equal(t, "Leave", page.Paragraphs[0].Text)
	}
}
