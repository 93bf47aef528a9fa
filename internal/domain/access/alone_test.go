package access_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/pack"
)

// The model of a tenant in which one person, an administrator, holds an account, and with it whatever accounts that one
// makes or resets. The rules that are asked are those of the program. The accounts that there are at first are those of
// the world; nobody made them within 30 days.

// holder is an account of the model.
type holder struct {
	role access.Role
	off  bool // disabled
	held bool // by the one person
	of   set  // the accounts of the world that made it, over any number of steps, with itself if it is one of them
}

// set is a set of accounts of the world.
type set uint

func only(account int) set { return 1 << account }

// link says that account By made account Person, or gave it its role or credentials.
type link struct{ Person, By int }

// situation is a state of the model.
type situation struct {
	accounts []holder // the first are those of the world
	world    int      // how many of them
	links    []link   // only for a weakened rule: else who in the world made whom says it all
	lost     bool     // one of two administrators was disabled or demoted
	steps    []string // how it came to be

	made *access.Makers // of what the accounts are of, once it was asked for
}

// world is what the model begins with: account 0 is the one person's.
type world struct {
	accounts []holder
	two      bool // with two administrators: from the beginning nobody is alone
	busy     bool // the other administrators confirm whatever is asked, and make, promote, demote and reset too
}

// among returns a busy world.
func (w world) among() world {
	w.busy = true
	return w
}

func newWorld(roles ...access.Role) world {
	w := world{two: len(roles) > 1 && roles[1] == access.Admin}
	for i, r := range roles {
		w.accounts = append(w.accounts, holder{role: r, held: i == 0, of: only(i)})
	}
	return w
}

// ruleset is the rule under test, or a weakened one.
type ruleset struct {
	steps    int
	linked   func(all []access.Made, ids []string) []access.Made // nil for the true rule
	demanded func(admins int, lost, now time.Time) bool
}

var (
	trueRule = ruleset{steps: 8, demanded: access.Demanded}
	today    = time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
)

func idOf(account int) string { return string(rune('A' + account)) }

// makers returns who counts as one person of some accounts.
func (r *ruleset) makers(s *situation, accounts ...int) access.Makers {
	var all []access.Made
	if r.linked == nil && s.made == nil {
		for i, h := range s.accounts {
			for w := range s.world {
				if w != i && h.of&only(w) != 0 {
					all = append(all, access.Made{Person: idOf(i), By: idOf(w)})
				}
			}
		}
		m := access.MakersOf(all)
		s.made = &m
	}
	if r.linked == nil {
		return *s.made
	}
	for _, l := range s.links {
		all = append(all, access.Made{Person: idOf(l.Person), By: idOf(l.By)})
	}
	ids := make([]string, len(accounts))
	for i, a := range accounts {
		ids[i] = idOf(a)
	}
	return access.MakersOf(r.linked(all, ids))
}

func (s *situation) actor(account int) access.Actor {
	return access.Actor{Tenant: "t", ID: idOf(account), Role: s.accounts[account].role, Human: true}
}

// able returns the accounts that the one person can use with at least a role, of those that no rule tells apart at most
// two.
func (r *ruleset) able(s *situation, least access.Role) (out []int) {
	same := map[holder]int{}
	for i, h := range s.accounts {
		if !h.held || h.off || !h.role.AtLeast(least) {
			continue
		}
		if same[h]++; same[h] <= 2 || r.linked != nil {
			out = append(out, i)
		}
	}
	return out
}

func (s *situation) admins() (n int) {
	for _, h := range s.accounts {
		if h.role == access.Admin && !h.off {
			n++
		}
	}
	return n
}

// needsSecond reports whether a change by an account needs a second administrator now.
func (r *ruleset) needsSecond(s *situation, by int, c *access.Change) bool {
	lost := time.Time{}
	if s.lost {
		lost = today.Add(time.Hour - access.MakerFor)
	}
	return r.demanded(s.admins(), lost, today) && access.NeedsSecond(s.actor(by), c)
}

// alone reports whether the one person can make a change: at once, or by asking with one account and confirming with
// another.
func (r *ruleset) alone(s *situation, by int, c *access.Change) bool {
	return !r.needsSecond(s, by, c) || slices.ContainsFunc(r.able(s, access.Admin), func(second int) bool {
		return r.confirms(s, by, second)
	})
}

func (r *ruleset) confirms(s *situation, by, second int) bool {
	return access.MayConfirm(&access.Request{AskedBy: idOf(by)}, s.actor(second), r.makers(s, by, second)) == nil
}

// may reports whether a change is made: alone, or in a busy world with whoever confirms.
func (r *ruleset) may(w *world, s *situation, by int, c *access.Change) bool {
	if r.alone(s, by, c) {
		return true
	}
	for second, h := range s.accounts {
		if w.busy && !h.off && r.confirms(s, by, second) {
			return true
		}
	}
	return false
}

// broken returns what the one person can do alone that needs two, "" for nothing.
func (r *ruleset) broken(w *world, s *situation) string {
	lift := &access.Change{Kind: access.ChangePackHold, Object: "pack"}
	for _, a := range r.able(s, access.Reviewer) {
		for _, b := range r.able(s, access.Approver) {
			if r.pair(s, a, b) != "" {
				return r.pair(s, a, b)
			}
		}
		if s.accounts[a].role == access.Admin && (w.two || r.needsSecond(s, a, lift)) && r.alone(s, a, lift) {
			return "a lifted hold"
		}
	}
	return ""
}

// pair returns what two accounts can do of which the first begins and the second confirms.
func (r *ruleset) pair(s *situation, a, b int) string {
	makers, first, second := r.makers(s, a, b), s.actor(a), s.actor(b)
	review := func(authors []string, approvals ...pack.Approval) error {
		return pack.Chain{{State: pack.InReview, Authors: authors, Approvals: approvals, Makers: makers}}.MayDecide(second)
	}
	stranger := []string{"stranger"}
	admin := first.Role == access.Admin
	switch {
	case review([]string{first.ID}) == nil:
		return "A2"
	case first.Role.AtLeast(access.Approver) && review(stranger, pack.Approval{Actor: first.ID}) == nil:
		return "A3"
	case admin && erasure.MayConfirm(&erasure.Request{AskedBy: first.ID}, second, makers) == nil:
		return "an erasure"
	case admin && pack.MayPurge(&pack.Life{State: pack.SignedOff, Makers: makers}, "2020-01-01T00:00:00Z", today, first,
		second) == nil:
		return "a purge"
	}
	return ""
}

// busy returns the accounts that make and change others: those of the one person, in a busy world also the other
// administrators.
func (r *ruleset) busy(w *world, s *situation) []int {
	out := r.able(s, access.Admin)
	for i, h := range s.accounts {
		if w.busy && !h.held && !h.off && h.role == access.Admin {
			out = append(out, i)
		}
	}
	return out
}

// next calls each with every situation that a step of the one person, or the operator who disables another
// administrator, leads to.
func (r *ruleset) next(w *world, s *situation, each func(*situation)) {
	for _, by := range r.busy(w, s) {
		for _, role := range access.Roles {
			if r.may(w, s, by, &access.Change{Kind: access.AddPerson, Role: role}) {
				each(s.add(by, role))
			}
		}
		for x, h := range s.accounts {
			if r.linked == nil && x > len(w.accounts) && h == s.accounts[x-1] {
				continue // nothing tells it apart from the one before
			}
			r.change(w, s, by, x, each)
		}
	}
	for i := 1; i < len(w.accounts); i++ {
		if h := s.accounts[i]; h.role == access.Admin && !h.off {
			each(s.step(fmt.Sprintf("the operator disables %d", i), i, func(h *holder) { h.off = true }))
		}
	}
}

// change calls each with what the changes of an account x lead to.
func (r *ruleset) change(w *world, s *situation, by, x int, each func(*situation)) {
	was := s.accounts[x]
	last := was.role == access.Admin && !was.off && s.admins() == 1
	do := func(c access.Change, what string, links bool, set func(h *holder)) {
		c.Object = idOf(x)
		if !r.may(w, s, by, &c) {
			return
		}
		n := s.step(fmt.Sprintf("%d %s %d", by, what, x), x, set)
		if links {
			n.link(x, by)
		}
		each(n)
	}
	for _, role := range access.Roles {
		if role != was.role && !last {
			do(access.Change{Kind: access.ChangeRole, Role: role, Was: was.role}, "makes "+string(role), true,
				func(h *holder) { h.role = role })
		}
	}
	if !last {
		do(access.Change{Kind: access.ChangeAccess, On: was.off, Role: was.role}, "disables or enables", false,
			func(h *holder) { h.off = !h.off })
	}
	do(access.Change{Kind: access.ResetPassword}, "resets", true,
		func(h *holder) { h.held = h.held || s.accounts[by].held })
}

func (s *situation) copied(what string) *situation {
	return &situation{accounts: slices.Clone(s.accounts), world: s.world, links: slices.Clone(s.links), lost: s.lost,
		steps: append(slices.Clone(s.steps), what)}
}

// step returns the situation after a change of an account.
func (s *situation) step(what string, x int, set func(*holder)) *situation {
	n := s.copied(what)
	set(&n.accounts[x])
	if left := n.admins(); left < s.admins() && left > 0 {
		n.lost = true
	}
	return n
}

// add returns the situation after an account was made.
func (s *situation) add(by int, role access.Role) *situation {
	n := s.copied(fmt.Sprintf("%d adds a new %s", by, role))
	n.accounts = append(n.accounts, holder{role: role, held: s.accounts[by].held})
	n.link(len(n.accounts)-1, by)
	return n
}

// link notes that account by made x. Of a new account that is x, nobody notes whom it made before: who comes from it is
// linked with fewer than by the program, which only leaves the one person more ways.
func (s *situation) link(x, by int) {
	s.links = append(s.links, link{x, by})
	of := s.accounts[by].of
	for i := range s.accounts {
		if h := &s.accounts[i]; i == x || x < s.world && h.of&only(x) != 0 {
			h.of |= of
		}
	}
}

// key returns the same text for situations that no rule tells apart: the accounts that were made are in any order.
func (r *ruleset) key(w *world, s *situation) string {
	if r.linked != nil {
		slices.SortFunc(s.links, func(a, b link) int { return (a.Person-b.Person)*100 + a.By - b.By })
		s.links = slices.Compact(s.links)
		return fmt.Sprint(s.accounts, s.links, s.lost)
	}
	s.links = nil
	slices.SortFunc(s.accounts[len(w.accounts):], func(a, b holder) int { return strings.Compare(a.text(), b.text()) })
	var out strings.Builder
	for i := range s.accounts {
		out.WriteString(s.accounts[i].text())
	}
	return fmt.Sprint(out.String(), s.lost)
}

func (h *holder) text() string {
	mark := byte('a')
	if h.off {
		mark++
	}
	if h.held {
		mark += 2
	}
	return string([]byte{h.role[1], mark, byte('A' + h.of)})
}

// search walks all distinct situations, the nearest first. It returns the first in which the one person can do what
// needs two, with what it is, and how many it has seen.
func (r *ruleset) search(w world) (found *situation, what string, n int) {
	level := []*situation{{accounts: w.accounts, world: len(w.accounts)}}
	seen := map[string]bool{r.key(&w, level[0]): true}
	for depth := 0; ; depth++ {
		var deeper []*situation
		for _, s := range level {
			if what := r.broken(&w, s); what != "" {
				return s, what, len(seen)
			}
			if depth == r.steps {
				continue
			}
			r.next(&w, s, func(n *situation) {
				if key := r.key(&w, n); !seen[key] {
					seen[key] = true
					deeper = append(deeper, n)
				}
			})
		}
		if len(deeper) == 0 {
			return nil, "", len(seen)
		}
		level = deeper
	}
}

const (
	v, a, r = access.Viewer, access.Approver, access.Reviewer
	admin   = access.Admin
)

// One person who makes, promotes, demotes, disables, enables, resets and confirms, in any order of up to eight steps
// within 30 days, signs off no pack of class A2 or A3, erases and purges nothing, and lifts no hold where there were
// two administrators. Nor does one among others who make people too and confirm whatever is asked. The walk visits
// every situation that can be told apart.
func TestNobodyActsForTwo(t *testing.T) {
	busy := trueRule
	busy.steps = 4
	for name, c := range map[string]struct {
		w    world
		rule ruleset
	}{
		"the only administrator":      {newWorld(admin, a, r), trueRule},
		"one of two administrators":   {newWorld(admin, admin, a, r), trueRule},
		"one of three administrators": {newWorld(admin, admin, admin, a, v), trueRule},
		"one of two, both busy":       {newWorld(admin, admin, a).among(), busy},
		"one of three, all busy":      {newWorld(admin, admin, admin).among(), busy},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, what, n := c.rule.search(c.w)
			if found != nil {
				t.Fatalf("%s alone, by: %s", what, strings.Join(found.steps, "; "))
			}
			t.Log(n, "situations")
			require.Greater(t, n, 100)
		})
	}
}

// The walk finds the way where a rule is weaker than it is.
func TestTheWalkFindsAWay(t *testing.T) {
	all := func(made []access.Made, _ []string) []access.Made { return made }
	demanded := access.Demanded
	for name, c := range map[string]struct {
		rule ruleset
		w    world
	}{
		"the maker's maker is nobody": {ruleset{linked: func(made []access.Made, ids []string) []access.Made {
			return slices.DeleteFunc(slices.Clone(made), func(m access.Made) bool { return !slices.Contains(ids, m.Person) })
		}, demanded: demanded, steps: 4}, newWorld(admin, a, r)},
		"two of one maker are two": {ruleset{linked: descends, demanded: demanded, steps: 4}, newWorld(admin, a, r)},
		"nobody makes anybody": {ruleset{linked: func([]access.Made, []string) []access.Made { return nil },
			demanded: demanded, steps: 3}, newWorld(admin, a, r)},
		"two administrators need no other": {ruleset{linked: all, steps: 3,
			demanded: func(int, time.Time, time.Time) bool { return false }}, newWorld(admin, admin, a)},
		"the demand ends with the second": {ruleset{linked: all, steps: 3,
			demanded: func(admins int, _, _ time.Time) bool { return admins >= 2 }}, newWorld(admin, admin, a)},
	} {
		t.Run(name, func(t *testing.T) {
			found, what, _ := c.rule.search(c.w)
			require.NotNil(t, found)
			t.Log(what, "by:", strings.Join(found.steps, "; "))
		})
	}
}

// descends keeps of what was made only whether one of two accounts comes from the other.
func descends(made []access.Made, ids []string) (out []access.Made) {
	reached := map[string]bool{}
	var walk func(id, of string)
	walk = func(id, of string) {
		for _, m := range made {
			if m.Person == id && !reached[of+m.By] {
				reached[of+m.By] = true
				walk(m.By, of)
			}
		}
	}
	for _, id := range ids {
		walk(id, id)
	}
	for _, a := range ids {
		for _, b := range ids {
			if reached[a+b] {
				out = append(out, access.Made{Person: a, By: b})
			}
		}
	}
	return out
}

// The model links nobody whom the program doesn't, so that the program leaves the one person no way that the walk has
// not.
func TestModelLinksNoMoreThanTheProgram(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	apart := 0
	for range 500 {
		w := newWorld(admin, admin, admin, admin)
		s := &situation{accounts: w.accounts, world: len(w.accounts)}
		for range draw.IntN(12) {
			by := draw.IntN(len(s.accounts))
			if draw.IntN(2) == 0 {
				s = s.add(by, admin)
			} else {
				s.link(draw.IntN(len(s.accounts)), by)
			}
		}
		whole := ruleset{linked: func(made []access.Made, _ []string) []access.Made { return made }}
		model, program := trueRule.makers(s), whole.makers(s)
		for i := range s.accounts {
			for j := range i {
				if model.OnePerson(idOf(i), idOf(j)) {
					require.True(t, program.OnePerson(idOf(i), idOf(j)), "%v: %d and %d", s.links, i, j)
				} else {
					apart++
				}
			}
		}
	}
	require.NotZero(t, apart)
}
