package interop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"sanad/internal/files"
	_ "sanad/internal/s3" // s3://
)

// TestBucketInS3 checks what the store asks of a bucket of originals, against a real S3-compatible server.
func TestBucketInS3(t *testing.T) {
	ctx := context.Background()
	b, err := blob.OpenBucket(ctx, startS3(t)+"&prefix=originals/")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })

	const n = 1203 // more than the service puts on a page
	for i := range n {
		require.NoError(t, b.WriteAll(ctx, fmt.Sprintf("jobs/%04d", i), []byte("x"), nil))
	}
	require.NoError(t, b.WriteAll(ctx, "documents/سند", []byte("0123456789"), &blob.WriterOptions{ContentType: "text/plain"}))
	require.NoError(t, b.WriteAll(ctx, "documents/سند", []byte("9876543210"), nil), "without a condition it is replaced")

	var keys []string
	for list := b.List(&blob.ListOptions{Prefix: "jobs/"}); ; {
		o, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		require.False(t, o.ModTime.IsZero())
		keys = append(keys, o.Key)
	}
	require.Len(t, keys, n)
	require.Equal(t, "jobs/0000", keys[0])
	require.Equal(t, "jobs/1202", keys[n-1])

	folders := b.List(&blob.ListOptions{Delimiter: "/"})
	first, err := folders.Next(ctx)
	require.NoError(t, err)
	require.Equal(t, "documents/", first.Key)
	require.True(t, first.IsDir)

	for name, c := range map[string]struct {
		from, length int64
		want         string
	}{"all": {0, -1, "9876543210"}, "part": {2, 3, "765"}, "rest": {7, -1, "210"}, "nothing": {3, 0, ""}} {
		r, err := b.NewRangeReader(ctx, "documents/سند", c.from, c.length, nil)
		require.NoError(t, err, name)
		data, err := io.ReadAll(r)
		require.NoError(t, err, name)
		require.NoError(t, r.Close())
		require.Equal(t, c.want, string(data), name)
		require.EqualValues(t, 10, r.Size(), name)
	}
	a, err := b.Attributes(ctx, "documents/سند")
	require.NoError(t, err)
	require.EqualValues(t, 10, a.Size)

	require.NoError(t, b.Delete(ctx, "jobs/0000"))
	require.Equal(t, gcerrors.NotFound, gcerrors.Code(b.Delete(ctx, "jobs/0000")))
	_, err = b.ReadAll(ctx, "jobs/0000")
	require.Equal(t, gcerrors.NotFound, gcerrors.Code(err))

	given, cancel := context.WithCancel(ctx)
	w, err := b.NewWriter(given, "given-up", nil)
	require.NoError(t, err)
	_, err = io.Copy(w, strings.NewReader("half"))
	require.NoError(t, err)
	cancel()
	require.Error(t, w.Close())
	there, err := b.Exists(ctx, "given-up")
	require.NoError(t, err)
	require.False(t, there)
}

// TestReplaceInS3 has two clients replace one object at the same moment: exactly one succeeds each time, and its bytes
// stay.
func TestReplaceInS3(t *testing.T) {
	ctx, address := context.Background(), startS3(t)
	var two [2]files.Place
	for i := range two {
		p, err := files.Open(ctx, address)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, p.Close()) })
		two[i] = p
	}
	require.ErrorIs(t, two[0].Replace(ctx, "f", []byte("0"), "0123456789abcdef0123456789abcdef"), files.ErrChanged)
	require.NoError(t, two[0].Create(ctx, "f", []byte("begin")))
	for n := range 300 {
		_, version, err := two[0].Get(ctx, "f")
		require.NoError(t, err)
		var all sync.WaitGroup
		var winner atomic.Value
		var won atomic.Int64
		for i, p := range two {
			all.Go(func() {
				text := fmt.Sprintf("%d by %d", n, i)
				if err := p.Replace(ctx, "f", []byte(text), version); err == nil {
					winner.Store(text)
					won.Add(1)
				} else if !errors.Is(err, files.ErrChanged) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		require.Equal(t, int64(1), won.Load(), "step %d", n)
		data, _, err := two[1].Get(ctx, "f")
		require.NoError(t, err)
		require.Equal(t, winner.Load(), string(data))
	}
}
