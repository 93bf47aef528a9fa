package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

func TestShareOut(t *testing.T) {
	taker := func(id string, share, open int) ledger.Taker {
		return ledger.Taker{Seat: ledger.Seat{ID: id}, Share: share, Open: open}
	}
	plain := func(n int) []ledger.Shared { return make([]ledger.Shared, n) }
	second := func(id string) ledger.Shared {
		return ledger.Shared{Second: ledger.SecondOpen, Seats: ledger.Seats{{}, {ID: id}}}
	}
	blind := ledger.Shared{Second: ledger.SecondBlind}
	a, b, c := taker("a", 1, 0), taker("b", 1, 0), taker("c", 1, 0)
	admin := a
	admin.ReadsLog = true
	type shared struct {
		how      ledger.Sharing
		sessions []ledger.Shared
		takers   []ledger.Taker
		want     []int
	}
	row := func(how ledger.Sharing, sessions []ledger.Shared, takers []ledger.Taker, want []int) shared {
		return shared{how: how, sessions: sessions, takers: takers, want: want}
	}
	for name, x := range map[string]shared{
		"no session":         row(ledger.ByTurns, nil, []ledger.Taker{a}, []int{}),
		"nobody":             row(ledger.ByTurns, plain(2), nil, []int{-1, -1}),
		"turns":              row(ledger.ByTurns, plain(5), []ledger.Taker{a, b}, []int{0, 1, 0, 1, 0}),
		"turns of three":     row(ledger.ByTurns, plain(4), []ledger.Taker{a, b, c}, []int{0, 1, 2, 0}),
		"load":               row(ledger.ByLoad, plain(5), []ledger.Taker{taker("a", 1, 3), b}, []int{1, 1, 1, 0, 1}),
		"load, all the same": row(ledger.ByLoad, plain(3), []ledger.Taker{a, b}, []int{0, 1, 0}),
		"shares 2 to 1":      row(ledger.ByShares, plain(6), []ledger.Taker{taker("a", 2, 0), b}, []int{0, 1, 0, 0, 1, 0}),
		"largest remainder": row(ledger.ByShares, plain(4), []ledger.Taker{taker("a", 5, 0), taker("b", 3, 0), c},
			[]int{0, 1, 2, 0}),
		"equal remainders": row(ledger.ByShares, plain(1), []ledger.Taker{a, b}, []int{0}),
		"not the second reviewer": row(ledger.ByTurns, []ledger.Shared{second("a"), second("b"), {}, {}}, []ledger.Taker{a, b},
			[]int{1, 0, 0, 1}),
		"nobody may":             row(ledger.ByTurns, []ledger.Shared{second("a"), {}}, []ledger.Taker{a}, []int{-1, 0}),
		"blind, reads the log":   row(ledger.ByTurns, []ledger.Shared{{}, blind}, []ledger.Taker{admin, b}, []int{0, 1}),
		"blind, everybody reads": row(ledger.ByTurns, []ledger.Shared{blind}, []ledger.Taker{admin}, []int{-1}),
		"what few may take first": row(ledger.ByShares, []ledger.Shared{{}, {}, second("b"), second("b")}, []ledger.Taker{a, b},
			[]int{1, 1, 0, 0}),
		"beyond one's part": row(ledger.ByShares, []ledger.Shared{second("b"), second("b"), {}}, []ledger.Taker{a, taker("b", 5, 0)}, []int{0, 0, 1}),
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, x.want, ledger.ShareOut(x.how, x.sessions, x.takers)) })
	}
}

// However many and whoever: all are given, and nobody is off their part by one or more.
func TestShareOutIsFair(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		takers, all := make([]ledger.Taker, 1+r.IntN(9)), 0
		for i := range takers {
			takers[i] = ledger.Taker{Seat: ledger.Seat{ID: fmt.Sprint(i)}, Share: 1 + r.IntN(9), Open: r.IntN(20)}
			all += takers[i].Share
		}
		n := r.IntN(200)
		for _, how := range ledger.Sharings {
			got := make([]int, len(takers))
			for _, k := range ledger.ShareOut(how, make([]ledger.Shared, n), takers) {
				got[k]++
			}
			for i := range takers {
				for k := range takers {
					switch how {
					case ledger.ByTurns:
						require.LessOrEqual(t, got[i]-got[k], 1)
					case ledger.ByLoad: // who got any has at most one more than anybody else
						require.True(t, got[i] == 0 || takers[i].Open+got[i] <= takers[k].Open+got[k]+1)
					}
				}
				if how == ledger.ByShares {
					require.Less(t, abs(got[i]*all-n*takers[i].Share), all)
				}
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }
