package lake_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	_ "gocloud.dev/blob/memblob" // mem://

	"sanad/internal/domain"
	"sanad/internal/lake"
	"sanad/internal/s3/s3test"
)

const mine, yours = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"

func open(t *testing.T, address, dir string) *lake.Lake {
	t.Helper()
	l, err := lake.Open(context.Background(), address, dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	require.NoError(t, l.Ready(context.Background()))
	return l
}

// places returns the kinds of lake that every test runs against; make thorough adds a real S3 service.
func places(t *testing.T) map[string]*lake.Lake {
	dir := t.TempDir()
	return map[string]*lake.Lake{
		"standard folder": open(t, "", filepath.Join(dir, "a", "lake")),
		"folder by URL":   open(t, "file://"+filepath.Join(dir, "b"), ""),
		"bucket":          open(t, "mem://", ""),
	}
}

func TestArtifactsAreNeverOverwritten(t *testing.T) {
	ctx := context.Background()
	for name, l := range places(t) {
		t.Run(name, func(t *testing.T) {
			a := l.Of(mine)
			for _, path := range []string{"x", "docs/bio.md", "docs/سند.txt", "docs/deep/er/a b.json", "docs/empty"} {
				data := []byte("first " + path)
				if path == "docs/empty" {
					data = []byte{}
				}
				created, err := a.Put(ctx, path, data)
				require.NoError(t, err)
				require.True(t, created)
				created, err = a.Put(ctx, path, data)
				require.NoError(t, err)
				require.False(t, created, "writing the same bytes again changes nothing")
				_, err = a.Put(ctx, path, []byte("second"))
				require.Equal(t, domain.Conflict, domain.KindOf(err))
				got, err := a.Get(ctx, path)
				require.NoError(t, err)
				require.Equal(t, string(data), string(got))
			}
		})
	}
}

func TestConcurrentPutsCreateOnce(t *testing.T) {
	ctx := context.Background()
	for name, l := range places(t) {
		t.Run(name, func(t *testing.T) {
			var wrote sync.Map
			var all sync.WaitGroup
			for i := range 16 {
				all.Go(func() {
					text := strings.Repeat(string(rune('a'+i)), 100_000)
					if created, err := l.Of(mine).Put(ctx, "race", []byte(text)); err == nil && created {
						wrote.Store(text, true)
					}
				})
			}
			all.Wait()
			n := 0
			wrote.Range(func(text, _ any) bool {
				n++
				got, err := l.Of(mine).Get(ctx, "race")
				require.NoError(t, err)
				require.Equal(t, text, string(got))
				return true
			})
			require.Equal(t, 1, n)
		})
	}
}

func TestTenantsAreSeparate(t *testing.T) {
	ctx := context.Background()
	for name, l := range places(t) {
		t.Run(name, func(t *testing.T) {
			_, err := l.Of(mine).Put(ctx, "a/secret", []byte("s"))
			require.NoError(t, err)
			for _, path := range []string{"a/secret", "../" + mine + "/a/secret", mine + "/a/secret"} {
				_, err = l.Of(yours).Get(ctx, path)
				require.Contains(t, []domain.Kind{domain.NotFound, domain.Invalid}, domain.KindOf(err), path)
			}
			for _, tenant := range []string{"", ".", "..", "a/b", ".unfinished", mine + "/.."} {
				_, err = l.Of(tenant).Get(ctx, "a/secret")
				require.Equal(t, domain.NotFound, domain.KindOf(err), tenant)
				_, err = l.Of(tenant).Put(ctx, "x", nil)
				require.Equal(t, domain.NotFound, domain.KindOf(err), tenant)
			}
		})
	}
}

func TestPathsOutsideAreRefused(t *testing.T) {
	ctx := context.Background()
	for name, l := range places(t) {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{"", ".", "..", "/", "/etc/passwd", "a/../b", "a/..", "../a", "a//b", "a/",
				"./a", "a\\b", "a\x00b", "s3://b/a", "C:a", "\xff",
				strings.Repeat("x", 1025)} {
				_, err := l.Of(mine).Put(ctx, path, []byte("x"))
				require.Equal(t, domain.Invalid, domain.KindOf(err), "%q", path)
				_, err = l.Of(mine).Get(ctx, path)
				require.Equal(t, domain.Invalid, domain.KindOf(err), "%q", path)
			}
			_, err := l.Of(mine).Put(ctx, "big", make([]byte, lake.MaxBytes+1))
			require.Equal(t, domain.TooLarge, domain.KindOf(err))
			_, err = l.Of(mine).Get(ctx, "big")
			require.Equal(t, domain.NotFound, domain.KindOf(err))
		})
	}
}

// Links are refused, whether they leave the lake or only the tenant's part, as a file or as a folder. So is a path that
// continues below a file.
func TestLinksAreRefused(t *testing.T) {
	ctx, dir, outside := context.Background(), t.TempDir(), t.TempDir()
	l := open(t, "", dir)
	_, err := l.Of(yours).Put(ctx, "secret", []byte("s"))
	require.NoError(t, err)
	_, err = l.Of(mine).Put(ctx, "d/here", []byte("h"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("s"), 0o600))
	part := filepath.Join(dir, mine)
	for name, to := range map[string]string{
		"out": filepath.Join(outside, "secret"), "outdir": outside, "across": "../" + yours + "/secret",
		"acrossdir": "../" + yours, "within": "d/here", "dangling": "nowhere",
	} {
		require.NoError(t, os.Symlink(to, filepath.Join(part, name)))
	}
	for _, path := range []string{"out", "outdir/secret", "outdir/new", "across", "acrossdir/secret", "acrossdir/new",
		"within", "dangling"} {
		_, err := l.Of(mine).Get(ctx, path)
		require.Equal(t, domain.Invalid, domain.KindOf(err), path)
		_, err = l.Of(mine).Put(ctx, path, []byte("x"))
		require.Equal(t, domain.Invalid, domain.KindOf(err), path)
	}
	for _, path := range []string{"d", "d/here/x"} {
		_, err := l.Of(mine).Get(ctx, path)
		require.Equal(t, domain.Conflict, domain.KindOf(err), path)
		_, err = l.Of(mine).Put(ctx, path, []byte("x"))
		require.Equal(t, domain.Conflict, domain.KindOf(err), path)
	}
	_, err = l.Of(mine).Put(ctx, strings.Repeat("n", 300), nil)
	require.Equal(t, domain.Invalid, domain.KindOf(err))
	require.NoError(t, os.Symlink(filepath.Join(dir, yours),
		filepath.Join(dir, "33333333-3333-4333-8333-333333333333")))
	_, err = l.Of("33333333-3333-4333-8333-333333333333").Get(ctx, "secret")
	require.Equal(t, domain.Invalid, domain.KindOf(err))
	left, err := os.ReadDir(filepath.Join(dir, ".unfinished"))
	require.NoError(t, err)
	require.Empty(t, left)
	found, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Len(t, found, 1)
}

func TestOpenRefusesAddresses(t *testing.T) {
	for _, address := range []string{"file://relative/path", "file:///x?create_dir=1", "file:x", "nothing://x", "://",
		"s3://"} {
		_, err := lake.Open(context.Background(), address, "")
		require.Error(t, err, address)
	}
}

func TestMissingLakeIsNotReady(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lake")
	l := open(t, "", dir)
	require.NoError(t, os.RemoveAll(dir))
	require.Error(t, l.Ready(context.Background()))
}

func TestEndedContextIsReported(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	l := open(t, "mem://", "")
	cancel()
	_, err := l.Of(mine).Get(ctx, "x")
	require.ErrorIs(t, err, context.Canceled)
}

// TestALostAnswerIsNoError checks that an artifact is stored without an error when the service wrote it and its answer
// was lost: the client asks again and is refused, because of its own bytes.
func TestALostAnswerIsNoError(t *testing.T) {
	ctx := context.Background()
	bucket := s3test.Start(t)
	a := open(t, bucket.URL, "").Of(mine)
	bucket.Lose.Store(true)
	created, err := a.Put(ctx, "x", []byte("first"))
	require.NoError(t, err)
	require.False(t, bucket.Lose.Load(), "no answer was lost")
	require.False(t, created, "who asks again cannot tell who wrote it")
	got, err := a.Get(ctx, "x")
	require.NoError(t, err)
	require.Equal(t, "first", string(got))
}

// TestACutRefusalIsAConflict checks that what is there is found out where the service cuts the connection instead of
// refusing.
func TestACutRefusalIsAConflict(t *testing.T) {
	ctx := context.Background()
	bucket := s3test.Start(t)
	a := open(t, bucket.URL, "").Of(mine)
	bucket.Cut.Store(true)
	created, err := a.Put(ctx, "x", []byte("first"))
	require.NoError(t, err)
	require.True(t, created)
	_, err = a.Put(ctx, "x", []byte("second"))
	require.Equal(t, domain.Conflict, domain.KindOf(err))
	created, err = a.Put(ctx, "x", []byte("first"))
	require.NoError(t, err)
	require.False(t, created)
}
