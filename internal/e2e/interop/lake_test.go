package interop

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/lake"
)

// The server and its version, so that new releases can't change the result of the tests.
const (
	s3Module  = "github.com/versity/versitygw/cmd/versitygw"
	s3Version = "v1.8.0"
)

// goBinary builds a command once and returns its path in the user's cache folder.
func goBinary(t testing.TB, module, version string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	name := filepath.Base(module)
	dir := filepath.Join(cache, "sanad-interop", name+"-"+version)
	binary := filepath.Join(dir, name)
	if _, err := os.Stat(binary); err == nil {
		return binary
	}
	require.NoError(t, os.MkdirAll(dir, 0o755))
	fresh, err := os.MkdirTemp(dir, "build-") // renamed when complete, so that a partial binary is never used
	require.NoError(t, err)
	defer os.RemoveAll(fresh) //nolint:errcheck // just a folder in a cache
	build := exec.Command("go", "install", module+"@"+version)
	build.Env = append(os.Environ(), "GOBIN="+fresh, "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, os.Rename(filepath.Join(fresh, name), binary))
	return binary
}

// startS3 runs an S3-compatible server with one bucket until the test ends, and returns the lake's URL.
func startS3(t *testing.T) string {
	t.Helper()
	Need(t)
	binary, address, root := goBinary(t, s3Module, s3Version), freeAddress(t), t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "artifacts"), 0o755))
	var said bytes.Buffer
	p := exec.Command(binary, "--access", "key", "--secret", "secret-of-this-test", "--port", address, "--region",
		"us-east-1", "--quiet", "posix", "--sidecar", t.TempDir(), root)
	p.Stdout, p.Stderr = &said, &said
	require.NoError(t, p.Start())
	exited := make(chan struct{})
	go func() {
		_ = p.Wait() // it is killed
		close(exited)
	}()
	t.Cleanup(func() {
		_ = p.Process.Kill()
		<-exited
	})
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret-of-this-test")
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		select {
		case <-exited:
			t.Fatalf("versitygw ended: %s", said.String())
		default:
		}
		if resp, err := http.Get("http://" + address + "/"); err == nil {
			_ = resp.Body.Close()
			break
		}
		require.True(t, time.Now().Before(end), "versitygw does not answer: %s", said.String())
	}
	return "s3://artifacts?region=us-east-1&use_path_style=true&endpoint=http://" + address
}

// TestLakeInS3 checks that a lake on a real S3-compatible server behaves like a folder: objects are written once, also
// in a race; tenants are separate; bundles are complete.
func TestLakeInS3(t *testing.T) {
	ctx := context.Background()
	l, err := lake.Open(ctx, startS3(t), "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	require.NoError(t, l.Ready(ctx))
	mine, yours := l.Of("11111111-1111-4111-8111-111111111111"), l.Of("22222222-2222-4222-8222-222222222222")

	for _, path := range []string{"docs/bio.md", "وثائق/سند.txt", "a b/c+d=e&f%20.json"} {
		created, err := mine.Put(ctx, path, []byte("first "+path))
		require.NoError(t, err, path)
		require.True(t, created)
		created, err = mine.Put(ctx, path, []byte("first "+path))
		require.NoError(t, err)
		require.False(t, created)
		_, err = mine.Put(ctx, path, []byte("second"))
		require.Equal(t, domain.Conflict, domain.KindOf(err))
		got, err := mine.Get(ctx, path)
		require.NoError(t, err)
		require.Equal(t, "first "+path, string(got))
		_, err = yours.Get(ctx, path)
		require.Equal(t, domain.NotFound, domain.KindOf(err))
	}
	for _, path := range []string{"../22222222-2222-4222-8222-222222222222/x", "/x", "a/../x"} {
		_, err := mine.Put(ctx, path, nil)
		require.Equal(t, domain.Invalid, domain.KindOf(err), path)
	}
	large := bytes.Repeat([]byte("0123456789abcdef"), lake.MaxBytes/16)
	created, err := mine.Put(ctx, "large", large)
	require.NoError(t, err)
	require.True(t, created)
	got, err := mine.Get(ctx, "large")
	require.NoError(t, err)
	require.True(t, bytes.Equal(large, got))
	_, err = mine.Put(ctx, "large", large[1:])
	require.Equal(t, domain.Conflict, domain.KindOf(err))
	raceInS3(t, mine)
	bundleFromS3(t, mine)
}

// raceInS3 has eight write different bytes at one path: one is told that its bytes are stored, and they are. Whether it
// was told that it created them is not asked: if the answer to its request is lost, the client asks again and finds its
// own bytes (lake.TestALostAnswerIsNoError).
func raceInS3(t *testing.T, a *lake.Area) {
	t.Helper()
	ctx := context.Background()
	texts, created, errs := make([]string, 8), make([]bool, 8), make([]error, 8)
	var all sync.WaitGroup
	for i := range texts {
		texts[i] = strings.Repeat(string(rune('a'+i)), 50_000)
		all.Go(func() { created[i], errs[i] = a.Put(ctx, "race", []byte(texts[i])) })
	}
	all.Wait()
	got, err := a.Get(ctx, "race")
	require.NoError(t, err)
	for i, text := range texts {
		if text == string(got) {
			require.NoError(t, errs[i])
			continue
		}
		require.False(t, created[i])
		require.Error(t, errs[i])
	}
	require.Contains(t, texts, string(got))
}

func bundleFromS3(t *testing.T, a *lake.Area) {
	t.Helper()
	ctx := context.Background()
	var req bundle.Request
	require.NoError(t, json.Unmarshal([]byte(`{"evidence_refs":{"lake_text":["docs/bio.md","docs/none.md"],"documents":[{"document_id":"d","lake_uri":"large"}]},"policy":{"max_items":3}}`), &req))
	built, err := bundle.Build(&req, time.Unix(0, 0), a.Load(ctx), nil)
	require.NoError(t, err)
	require.Len(t, built.Bundle.Items, 3)
	require.Len(t, built.Bundle.FailedSources, 1)
	require.Equal(t, "There is no such artifact in the lake.", built.Bundle.FailedSources[0].Reason)
	data, err := built.Bundle.Bytes()
	require.NoError(t, err)
	created, err := a.Put(ctx, "evidence/bundles/"+built.Bundle.BundleID+"/x.json", data)
	require.NoError(t, err)
	require.True(t, created)
}

// TestLakeInNoBucket checks that the readiness check reports a bucket that is missing or denies access, without showing
// a secret.
func TestLakeInNoBucket(t *testing.T) {
	ctx := context.Background()
	address := startS3(t)
	l, err := lake.Open(ctx, strings.Replace(address, "artifacts", "elsewhere", 1), "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	require.Error(t, l.Ready(ctx))
	t.Setenv("AWS_SECRET_ACCESS_KEY", "not-the-one")
	wrong, err := lake.Open(ctx, address, "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, wrong.Close()) })
	err = wrong.Ready(ctx)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "not-the-one")
	_, err = wrong.Of("11111111-1111-4111-8111-111111111111").Put(ctx, "x", []byte("x"))
	require.Equal(t, domain.Internal, domain.KindOf(err))
}
