package db_test

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
)

// Texts may have the byte that ends a packed value: the page is read again with an end that nobody can write.
func TestPagesWithTheEndOfAPackedValueInTheirTexts(t *testing.T) {
	h := newFixture(t)
	s := fullSession()
	s.Title, s.Answer = "\x1f3\x1f", "\x1f"+s.Answer
	for i := range s.Claims {
		c := &s.Claims[i]
		c.Text += "\x1f0\x1f1\x1f"
		for j := range c.Matches {
			c.Matches[j].Note = "\x1f\x1f"
		}
	}
	l := h.insert(t, s)
	p := h.page(t, s.ID, ledger.ClaimFilter{}, -1, 50)
	require.Equal(t, l.Session.Title, p.Session.Title)
	require.Equal(t, l.Session.Answer, p.Session.Answer)
	require.Len(t, p.Session.Claims, len(l.Session.Claims))
	for i, want := range l.Session.Claims {
		require.Equal(t, want, p.Session.Claims[i])
	}
	whole, err := h.Session(context.Background(), h.tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, l.Session, whole)
}

// A number that is packed is the number that was stored, to the last bit.
func TestPackedNumbersAreExact(t *testing.T) {
	h := newFixture(t)
	s := sizedSession(400)
	random := rand.New(rand.NewPCG(7, 9))
	numbers := []float64{0, 1, 0.1, 0.3, 1.0 / 3, math.Nextafter(1, 0), math.Nextafter(0.5, 1), math.SmallestNonzeroFloat64, 1e-300}
	for i := range s.Claims {
		for j := range s.Claims[i].Matches {
			x := random.Float64()
			if len(numbers) > 0 {
				x, numbers = numbers[0], numbers[1:]
			}
			s.Claims[i].Matches[j].Similarity = x
		}
	}
	h.insert(t, s)
	p := h.page(t, s.ID, ledger.ClaimFilter{}, -1, 400)
	require.Len(t, p.Session.Claims, 400)
	require.Empty(t, numbers)
	for i, want := range s.Claims {
		for j, m := range want.Matches {
			require.Equal(t, math.Float64bits(m.Similarity), math.Float64bits(p.Session.Claims[i].Matches[j].Similarity))
		}
	}
}

// A list of strings is read as encoding/json reads it, or left to that.
func TestPlainStrings(t *testing.T) {
	pieces := []string{`"`, `,`, `a`, `","`, `["`, `"]`, `[`, `]`, `\n`, `\"`, " ", "نص", "\x01", "\xff", "\ufffd", "\U0001F600", "null"}
	random := rand.New(rand.NewPCG(5, 6))
	plain := 0
	for range 200_000 {
		value := ""
		for range random.IntN(9) {
			value += pieces[random.IntN(len(pieces))]
		}
		if random.IntN(2) == 0 {
			value = `["` + value + `"]`
		}
		var got, want []string
		if !db.PlainStrings(value, &got) {
			require.Nil(t, got, value)
			continue
		}
		plain++
		require.NoError(t, json.Unmarshal([]byte(value), &want), value)
		require.Equal(t, want, got, value)
	}
	require.Greater(t, plain, 1000)
	var got []string
	require.True(t, db.PlainStrings(`["30 days","المدة",""]`, &got))
	require.Equal(t, []string{"30 days", "المدة", ""}, got)
}

// SQLite's numbers, written as packed ones are, are read as the same.
func TestSQLiteWritesNumbersExactly(t *testing.T) {
	dbtest.SQLiteOnly(t, "PostgreSQL writes the shortest text that is the same number")
	h := newFixture(t)
	d := raw(t, h.dir)
	random := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		x := random.Float64() * math.Pow(10, float64(random.IntN(24)-20))
		var text string
		require.NoError(t, d.QueryRow("SELECT format('%!.17g', ?)", x).Scan(&text))
		require.Equal(t, x, db.PackedNumber(t, text), text)
	}
}
