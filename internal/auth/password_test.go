package auth_test

import (
	"context"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/domain"
)

func TestPasswordRoundTrip(t *testing.T) {
	ctx, h := context.Background(), auth.NewHasher(2)
	phc, err := h.Hash(ctx, "four words and 12")
	require.NoError(t, err)
	require.Regexp(t, `^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`, phc, "rule SEC-2")
	again, err := h.Hash(ctx, "four words and 12")
	require.NoError(t, err)
	require.NotEqual(t, phc, again, "each hash has its own salt")

	for password, want := range map[string]bool{
		"four words and 12":      true,
		"ｆｏｕｒ words and １２":      true, // full width: the same after NFKC
		"Four words and 12":      false,
		"four words and 12 ":     false,
		"":                       false,
		strings.Repeat("x", 1e6): false,
	} {
		same, err := h.Check(ctx, password, phc)
		require.NoError(t, err)
		require.Equal(t, want, same, "%.30q", password)
	}
}

func TestPasswordIsNormalised(t *testing.T) {
	ctx, h := context.Background(), auth.NewHasher(1)
	phc, err := h.Hash(ctx, "café لأجل ١٢٣")
	require.NoError(t, err)
	same, err := h.Check(ctx, "cafe\u0301 ل\u0627\u0654جل ١٢٣", phc)
	require.NoError(t, err)
	require.True(t, same, "composed and decomposed spellings are one password")
}

// An unknown name must cost as much as a known one. Memory, unlike time, shows reliably that the same work was done.
func TestUnknownNameCostsTheSame(t *testing.T) {
	ctx, h := context.Background(), auth.NewHasher(1)
	phc, err := h.Hash(ctx, "four words and 12")
	require.NoError(t, err)
	for name, c := range map[string]struct{ password, phc string }{
		"known":               {"four words and 12", phc},
		"unknown":             {"four words and 12", ""},
		"unknown, empty":      {"", ""},
		"known, far too long": {strings.Repeat("ｘ", 1e6), phc},
	} {
		used := allocated(func() {
			same, err := h.Check(ctx, c.password, c.phc)
			require.NoError(t, err)
			require.Equal(t, name == "known", same)
		})
		require.InDelta(t, 19<<20, used, 1<<20, name)
	}
}

// allocated returns how many bytes f allocated, whether freed or not.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

func TestDamagedHashIsRefused(t *testing.T) {
	const salt, key = "$c29tZXNhbHRzb21lc2FsdA", "$shr7MGJbVSwXENLDR79kfsirter2/0/NmH25fiT4WUU"
	ctx, h := context.Background(), auth.NewHasher(1)
	for name, phc := range map[string]string{
		"no hash":             "secret",
		"other variant":       "$argon2i$v=19$m=19456,t=2,p=1" + salt + key,
		"other version":       "$argon2id$v=16$m=19456,t=2,p=1" + salt + key,
		"4 TiB":               "$argon2id$v=19$m=4294967295,t=2,p=1" + salt + key,
		"over 1 GiB":          "$argon2id$v=19$m=1048577,t=2,p=1" + salt + key,
		"hardly any memory":   "$argon2id$v=19$m=8,t=2,p=1" + salt + key,
		"no pass would panic": "$argon2id$v=19$m=19456,t=0,p=1" + salt + key,
		"no lane would panic": "$argon2id$v=19$m=19456,t=2,p=0" + salt + key,
		"endless passes":      "$argon2id$v=19$m=19456,t=4000000000,p=1" + salt + key,
		"empty key fits all":  "$argon2id$v=19$m=19456,t=2,p=1" + salt + "$",
		"more than a hash":    "$argon2id$v=19$m=19456,t=2,p=1" + salt + key + "$",
		"a parameter more":    "$argon2id$v=19$m=19456,t=2,p=1,x=1" + salt + key,
		"not base64":          "$argon2id$v=19$m=19456,t=2,p=1$%%%%%%%%" + key,
		"no salt":             "$argon2id$v=19$m=19456,t=2,p=1$" + key,
		"endless":             "$argon2id$v=19$m=19456,t=2,p=1" + salt + "$" + strings.Repeat("A", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			var same bool
			var err error
			used := allocated(func() { same, err = h.Check(ctx, "secret", phc) })
			require.False(t, same)
			require.Equal(t, domain.Internal, domain.KindOf(err))
			require.Error(t, err)
			require.NotContains(t, err.Error(), "c29tZXNhbHRzb21lc2FsdA", "the log shows no hash")
			require.Less(t, used, 256<<10, "refused before memory is allocated")
		})
	}
}

func TestHashesOfOtherProgramsAreRead(t *testing.T) {
	for name, c := range map[string]struct{ password, phc string }{
		"the reference implementation": {"password",
			"$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"},
		"alexedwards/argon2id, as Sanad used it, with two lanes": {"four words and 12",
			"$argon2id$v=19$m=32768,t=1,p=2$R6BdidPw9TY$0ldAsMYP3iMxseb3ydgtOw"},
	} {
		t.Run(name, func(t *testing.T) {
			same, err := auth.NewHasher(0).Check(context.Background(), c.password, c.phc)
			require.NoError(t, err)
			require.True(t, same)
			same, err = auth.NewHasher(0).Check(context.Background(), c.password+".", c.phc)
			require.NoError(t, err)
			require.False(t, same)
		})
	}
}

func TestHasherIsBounded(t *testing.T) {
	h := auth.NewHasher(1)
	release, err := h.Hold(context.Background())
	require.NoError(t, err)
	soon, stop := context.WithTimeout(context.Background(), time.Millisecond) // a running hash cannot be cancelled
	defer stop()
	_, err = h.Hash(soon, "four words and 12")
	require.ErrorIs(t, err, context.DeadlineExceeded, "the only slot is taken")
	_, err = h.Check(soon, "four words and 12", "")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	release()

	gone, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = h.Hash(gone, "four words and 12")
	require.ErrorIs(t, err, context.Canceled, "a cancelled caller takes no slot")
	_, err = h.Check(gone, "four words and 12", "")
	require.ErrorIs(t, err, context.Canceled)

	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() { _, errs[i] = h.Hash(context.Background(), "four words and 12") })
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err, "waiting callers get their turn")
	}
}

// BenchmarkCheck runs 8 callers per core. The limit on concurrent hashes decides the memory, the cores the speed.
func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{1, 2, 4} {
		b.Run("concurrent="+strconv.Itoa(n), func(b *testing.B) {
			h := auth.NewHasher(n)
			phc, err := h.Hash(b.Context(), "four words and 12")
			require.NoError(b, err)
			runtime.GC()
			highest := watchHeap()
			b.ReportAllocs()
			b.SetParallelism(8)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if same, err := h.Check(context.Background(), "four words and 12", phc); err != nil || !same {
						b.Error(same, err)
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "checks/s")
			b.ReportMetric(float64(highest())/(1<<20), "peak-MiB")
		})
	}
}

// watchHeap samples the heap, garbage included, every few milliseconds until highest is called.
func watchHeap() (highest func() uint64) {
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		var peak uint64
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for {
			metrics.Read(sample)
			peak = max(peak, sample[0].Value.Uint64())
			select {
			case <-stop:
				most <- peak
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { close(stop); return <-most }
}
