package files_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/files"
	"sanad/internal/s3/s3test"
)

// twice opens each kind of place two times, as two nodes do.
func twice(t *testing.T) map[string][2]files.Place {
	t.Helper()
	out := map[string][2]files.Place{}
	for name, address := range map[string]string{
		"folder": "file://" + filepath.Join(t.TempDir(), "shared"), "bucket": s3test.Start(t).URL,
	} {
		var two [2]files.Place
		for i := range two {
			p, err := files.Open(context.Background(), address)
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, p.Close()) })
			two[i] = p
		}
		out[name] = two
	}
	return out
}

func TestWhatOneWritesTheOtherReads(t *testing.T) {
	ctx := context.Background()
	for name, two := range twice(t) {
		t.Run(name, func(t *testing.T) {
			a, b := two[0], two[1]
			require.NoError(t, a.Ready(ctx))
			_, _, err := b.Get(ctx, "x/y")
			require.ErrorIs(t, err, files.ErrMissing)
			_, err = b.Size(ctx, "x/y")
			require.ErrorIs(t, err, files.ErrMissing)
			require.ErrorIs(t, b.Replace(ctx, "x/y", []byte("0"), "0"), files.ErrChanged)
			require.ErrorIs(t, b.Remove(ctx, "x/y"), files.ErrMissing)
			require.NoError(t, a.Create(ctx, "x/y", []byte("one")))
			require.ErrorIs(t, b.Create(ctx, "x/y", []byte("other")), files.ErrExists)
			data, version, err := b.Get(ctx, "x/y")
			require.NoError(t, err)
			require.Equal(t, "one", string(data))
			size, err := b.Size(ctx, "x/y")
			require.NoError(t, err)
			require.EqualValues(t, len("one"), size)
			require.NoError(t, b.Replace(ctx, "x/y", []byte("two"), version))
			require.ErrorIs(t, a.Replace(ctx, "x/y", []byte("three"), version), files.ErrChanged)
			data, _, err = a.Get(ctx, "x/y")
			require.NoError(t, err)
			require.Equal(t, "two", string(data))

			require.NoError(t, a.Create(ctx, "x-a", nil))
			require.NoError(t, a.Create(ctx, "z", nil))
			keys, err := b.Keys(ctx, "x")
			require.NoError(t, err)
			require.Equal(t, []string{"x-a", "x/y"}, keys)
			require.NoError(t, b.Remove(ctx, "x/y"))
			_, _, err = a.Get(ctx, "x/y")
			require.ErrorIs(t, err, files.ErrMissing)
		})
	}
}

// Two nodes replace one file at the same moment, 1,000 times: exactly one succeeds, and its bytes stay.
func TestOneOfTwoReplaces(t *testing.T) {
	ctx := context.Background()
	for name, two := range twice(t) {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, two[0].Create(ctx, "f", []byte("begin")))
			for n := range 1000 {
				_, version, err := two[0].Get(ctx, "f")
				require.NoError(t, err)
				var all sync.WaitGroup
				var winner atomic.Value
				var won, lost atomic.Int64
				for i, p := range two {
					all.Go(func() {
						text := fmt.Sprintf("%d by %d", n, i)
						switch err := p.Replace(ctx, "f", []byte(text), version); {
						case err == nil:
							winner.Store(text)
							won.Add(1)
						case errors.Is(err, files.ErrChanged):
							lost.Add(1)
						default:
							t.Error(err)
						}
					})
				}
				all.Wait()
				require.Equal(t, int64(1), won.Load())
				require.Equal(t, int64(1), lost.Load())
				data, _, err := two[1].Get(ctx, "f")
				require.NoError(t, err)
				require.Equal(t, winner.Load(), string(data))
			}
		})
	}
}

func TestFilesOfAFolderArePrivate(t *testing.T) {
	ctx, dir := context.Background(), filepath.Join(t.TempDir(), "shared")
	p, err := files.Open(ctx, "file://"+dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	require.NoError(t, p.Create(ctx, "a/b", []byte("1")))
	_, version, err := p.Get(ctx, "a/b")
	require.NoError(t, err)
	require.NoError(t, p.Replace(ctx, "a/b", []byte("2"), version))
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, path)
		return nil
	}))
	left, err := os.ReadDir(filepath.Join(dir, ".unfinished"))
	require.NoError(t, err)
	require.Empty(t, left)
}
