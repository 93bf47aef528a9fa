package reader_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/reader"
	"sanad/internal/reader/readertest"
)

func open(t testing.TB) *reader.Reader {
	r, err := reader.Open(readertest.Weights(1))
	require.NoError(t, err)
	return r
}

// pairs are of many lengths, empty ones and the longest among them.
func pairs() []reader.Pair {
	random := rand.New(rand.NewPCG(5, 0))
	words := strings.Fields("the leave policy grants 25 days of annual leave لا يجوز ترحيل الإجازة ؟ , . 30% 😀 漢字 [SEP] ÉTÉ")
	text := func(count int) string {
		chosen := make([]string, count)
		for i := range chosen {
			chosen[i] = words[random.IntN(len(words))]
		}
		return strings.Join(chosen, " ")
	}
	all := []reader.Pair{{}, {Claim: "a"}, {Passage: "a"}, {Passage: strings.Repeat("x ", 381), Claim: strings.Repeat("y ", 128)}}
	for range 28 {
		all = append(all, reader.Pair{Passage: text(random.IntN(40)), Claim: text(1 + random.IntN(12))})
	}
	return all
}

// TestLogitsDoNotDependOnOtherPairs scores pairs together, alone, backwards and on several goroutines.
func TestLogitsDoNotDependOnOtherPairs(t *testing.T) {
	r, all := open(t), pairs()
	want, err := r.Score(context.Background(), all)
	require.NoError(t, err)
	require.Len(t, want, len(all))
	different := map[reader.Logits]bool{}
	var group sync.WaitGroup
	for i := range all {
		different[want[i]] = true
		group.Go(func() {
			got, err := r.Score(context.Background(), all[i:i+1])
			assert.NoError(t, err) //nolint:testifylint // require may not be called in a goroutine
			assert.Equal(t, want[i:i+1], got)
		})
	}
	group.Wait()
	assert.Greater(t, len(different), len(all)*3/4, "the model tells pairs apart")
	for i := len(all) - 1; i >= 0; i-- {
		got, err := r.Score(context.Background(), all[i:i+1])
		require.NoError(t, err)
		require.Equal(t, want[i], got[0])
	}
}

func TestTooLongTextsAreRefused(t *testing.T) {
	r := open(t)
	pairs := []reader.Pair{{Claim: "a"}, {Claim: strings.Repeat("a ", 129)}}
	_, err := r.Score(context.Background(), pairs)
	var long *reader.TooLongError
	require.ErrorAs(t, err, &long)
	assert.Equal(t, reader.TooLongError{Pair: 1, Claim: true, Tokens: 129, Most: 128}, *long)
	_, err = r.Score(context.Background(), []reader.Pair{{Passage: strings.Repeat("a ", 508), Claim: "a b"}})
	require.ErrorAs(t, err, &long)
	assert.Equal(t, reader.TooLongError{Tokens: 508, Most: 507}, *long)
	assert.Equal(t, 507, r.MostPassage(2))
	_, err = r.Score(context.Background(), []reader.Pair{{Claim: strings.Repeat("word ", 10_000)}})
	require.ErrorAs(t, err, &long)
	assert.Equal(t, 40_000, long.Tokens)
	assert.ErrorContains(t, err, "the claim of pair 0 has 40000 tokens; at most 128 fit")
}

func TestTokensAndUnknownWords(t *testing.T) {
	r := open(t)
	count, err := r.Tokens("the 漢 claim 😀!")
	require.NoError(t, err)
	assert.Equal(t, 3+1+5+1+1, count)
	spans, err := r.Unknown("the 漢 claim 😀!")
	require.NoError(t, err)
	assert.Equal(t, []reader.Span{{From: 4, To: 5}, {From: 12, To: 13}}, spans)
}

// cancelled is a context that is done after a number of looks at it.
type cancelled struct {
	context.Context
	looks int
}

func (c *cancelled) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

func TestScoreStopsBetweenPairs(t *testing.T) {
	ctx := &cancelled{context.Background(), 3}
	_, err := open(t).Score(ctx, pairs())
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, -1, ctx.looks, "it stopped at once")
	_, err = open(t).Score(&cancelled{context.Background(), 0}, nil)
	require.NoError(t, err, "nothing was left to do")
}

func TestScoreReusesItsBuffers(t *testing.T) {
	r := open(t)
	few := pairs()[4:6]
	_, err := r.Score(context.Background(), few)
	require.NoError(t, err)
	least := 1000.0 // of several runs, since the race detector makes pools forget at random
	for range 20 {
		least = min(least, testing.AllocsPerRun(1, func() { _, _ = r.Score(context.Background(), few) }))
	}
	assert.Less(t, least, 12.0)
}

func TestDigestAndKernel(t *testing.T) {
	r := open(t)
	assert.Len(t, r.Digest(), 64)
	assert.NotEqual(t, r.Digest(), func() string { r, _ := reader.Open(readertest.Weights(2)); return r.Digest() }())
	name, failed := r.Kernel()
	assert.NotEmpty(t, name)
	assert.Empty(t, failed)
	assert.Equal(t, 2, r.Shape().Layers)
}

func TestReaderGivesUpAKernelThatDiffers(t *testing.T) {
	sound, off := open(t), open(t)
	off.UseKernelThatDiffers("off")
	want, err := sound.Score(context.Background(), pairs())
	require.NoError(t, err)
	got, err := off.Score(context.Background(), pairs())
	require.NoError(t, err)
	assert.Equal(t, want, got)
	name, failed := off.Kernel()
	assert.Equal(t, "portable", name)
	assert.Equal(t, "off", failed)
}
