package access_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/pack"
)

// The model of a tenant in which one person, an administrator, holds an account, and with it whatever accounts that one
// makes or resets. The rules that are asked are those of the program.

// holder is an account of the model.
type holder struct {
	role  domain.Role
	off   bool // disabled
	held  bool // by the one person
	group int  // the lowest number of those that it counts as one person with
}

// link says that account By made account Person, or gave it its role or credentials.
type link struct{ Person, By int }

// situation is a state of the model.
type situation struct {
	accounts []holder // the first are those of the world
	links    []link   // only for a weakened rule: else the groups say it all (TestOnlyGroupsCount)
	lost     bool     // one of two administrators was disabled or demoted
	steps    []string // how it came to be

	grouped *domain.Makers // of the groups, once they were asked for
}

// world is what the model begins with: account 0 is the one person's.
type world struct {
	accounts []holder
	two      bool // with two administrators: from the beginning nobody is alone
}

func newWorld(roles ...domain.Role) world {
	w := world{two: len(roles) > 1 && roles[1] == domain.Admin}
	for i, r := range roles {
		w.accounts = append(w.accounts, holder{role: r, held: i == 0, group: i})
	}
	return w
}

// ruleset is the rule under test, or a weakened one.
type ruleset struct {
	steps    int
	linked   func(all []domain.Made, ids []string) []domain.Made // nil for the true rule
	demanded func(admins int, lost, now time.Time) bool
}

var (
	trueRule = ruleset{steps: 8, demanded: access.Demanded}
	today    = time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
)

func idOf(account int) string { return string(rune('A' + account)) }

// makers returns who counts as one person of some accounts.
func (r *ruleset) makers(s *situation, accounts ...int) domain.Makers {
	var all []domain.Made
	if r.linked == nil && s.grouped == nil {
		for i, h := range s.accounts {
			all = append(all, domain.Made{Person: idOf(i), By: idOf(h.group)})
		}
		m := domain.MakersOf(all)
		s.grouped = &m
	}
	if r.linked == nil {
		return *s.grouped
	}
	for _, l := range s.links {
		all = append(all, domain.Made{Person: idOf(l.Person), By: idOf(l.By)})
	}
	ids := make([]string, len(accounts))
	for i, a := range accounts {
		ids[i] = idOf(a)
	}
	return domain.MakersOf(r.linked(all, ids))
}

func (s *situation) actor(account int) domain.Actor {
	return domain.Actor{Tenant: "t", ID: idOf(account), Role: s.accounts[account].role, Human: true}
}

// able returns the accounts that the one person can use with at least a role, of those that no rule tells apart at most
// two.
func (r *ruleset) able(s *situation, least domain.Role) (out []int) {
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
		if h.role == domain.Admin && !h.off {
			n++
		}
	}
	return n
}

// needsSecond reports whether a change by an account needs a second administrator now.
func (r *ruleset) needsSecond(s *situation, by int, c *access.Change) bool {
	lost := time.Time{}
	if s.lost {
		lost = today.Add(time.Hour - domain.MakerFor)
	}
	return r.demanded(s.admins(), lost, today) && access.NeedsSecond(s.actor(by), c)
}

// may reports whether the one person can make a change: at once, or by asking with one account and confirming with
// another.
func (r *ruleset) may(s *situation, by int, c *access.Change) bool {
	return !r.needsSecond(s, by, c) || slices.ContainsFunc(r.able(s, domain.Admin), func(second int) bool {
		return access.MayConfirm(&access.Request{AskedBy: idOf(by)}, s.actor(second), r.makers(s, by, second)) == nil
	})
}

// broken returns what the one person can do alone that needs two, "" for nothing.
func (r *ruleset) broken(w *world, s *situation) string {
	lift := &access.Change{Kind: access.ChangePackHold, Object: "pack"}
	for _, a := range r.able(s, domain.Reviewer) {
		for _, b := range r.able(s, domain.Approver) {
			if r.pair(s, a, b) != "" {
				return r.pair(s, a, b)
			}
		}
		if s.accounts[a].role == domain.Admin && (w.two || r.needsSecond(s, a, lift)) && r.may(s, a, lift) {
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
	admin := first.Role == domain.Admin
	switch {
	case review([]string{first.ID}) == nil:
		return "A2"
	case first.Role.AtLeast(domain.Approver) && review(stranger, pack.Approval{Actor: first.ID}) == nil:
		return "A3"
	case admin && erasure.MayConfirm(&erasure.Request{AskedBy: first.ID}, second, makers) == nil:
		return "an erasure"
	case admin && pack.MayPurge(&pack.Life{State: pack.SignedOff, Makers: makers}, "2020-01-01T00:00:00Z", today, first,
		second) == nil:
		return "a purge"
	}
	return ""
}

// next calls each with every situation that a step of the one person, or the operator who disables another
// administrator, leads to.
func (r *ruleset) next(w *world, s *situation, each func(*situation)) {
	for _, by := range r.able(s, domain.Admin) {
		for _, role := range domain.Roles {
			if r.may(s, by, &access.Change{Kind: access.AddPerson, Role: role}) {
				each(s.made(by, role))
			}
		}
		for x, h := range s.accounts {
			if r.linked == nil && x > len(w.accounts) && h == s.accounts[x-1] {
				continue // nothing tells it apart from the one before
			}
			r.change(s, by, x, each)
		}
	}
	for i := 1; i < len(w.accounts); i++ {
		if h := s.accounts[i]; h.role == domain.Admin && !h.off {
			each(s.step(fmt.Sprintf("the operator disables %d", i), i, func(h *holder) { h.off = true }))
		}
	}
}

// change calls each with what the changes of an account x lead to.
func (r *ruleset) change(s *situation, by, x int, each func(*situation)) {
	was := s.accounts[x]
	last := was.role == domain.Admin && !was.off && s.admins() == 1
	do := func(c access.Change, what string, links bool, set func(h *holder)) {
		c.Object = idOf(x)
		if !r.may(s, by, &c) {
			return
		}
		n := s.step(fmt.Sprintf("%d %s %d", by, what, x), x, set)
		if links {
			n.link(x, by)
		}
		each(n)
	}
	for _, role := range domain.Roles {
		if role != was.role && !last {
			do(access.Change{Kind: access.ChangeRole, Role: role, Was: was.role}, "makes "+string(role), true,
				func(h *holder) { h.role = role })
		}
	}
	if !last {
		do(access.Change{Kind: access.ChangeAccess, On: was.off, Role: was.role}, "disables or enables", false,
			func(h *holder) { h.off = !h.off })
	}
	do(access.Change{Kind: access.ResetPassword}, "resets", true, func(h *holder) { h.held = true })
}

func (s *situation) copied(what string) *situation {
	return &situation{accounts: slices.Clone(s.accounts), links: slices.Clone(s.links), lost: s.lost,
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

// made returns the situation after an account was made.
func (s *situation) made(by int, role domain.Role) *situation {
	n := s.copied(fmt.Sprintf("%d adds a new %s", by, role))
	n.accounts = append(n.accounts, holder{role: role, held: true, group: len(n.accounts)})
	n.link(len(n.accounts)-1, by)
	return n
}

func (s *situation) link(x, by int) {
	s.links = append(s.links, link{x, by})
	a, b := s.accounts[x].group, s.accounts[by].group
	for i := range s.accounts {
		if g := &s.accounts[i].group; *g == a || *g == b {
			*g = min(a, b)
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
	return string([]byte{h.role[1], mark, byte('A' + h.group)})
}

// search walks all distinct situations, the nearest first. It returns the first in which the one person can do what
// needs two, with what it is, and how many it has seen.
func (r *ruleset) search(w world) (found *situation, what string, n int) {
	level := []*situation{{accounts: w.accounts}}
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
	v, a, r = domain.Viewer, domain.Approver, domain.Reviewer
	admin   = domain.Admin
)

// One person who makes, promotes, demotes, disables, enables, resets and confirms, in any order of up to eight steps
// within 30 days, signs off no pack of class A2 or A3, erases and purges nothing, and lifts no hold where there were two
// administrators. The walk visits every situation that can be told apart.
func TestNobodyActsForTwo(t *testing.T) {
	for name, w := range map[string]world{
		"the only administrator":      newWorld(admin, a, r),
		"one of two administrators":   newWorld(admin, admin, a, r),
		"one of three administrators": newWorld(admin, admin, admin, a, v),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, what, n := trueRule.search(w)
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
	all := func(made []domain.Made, _ []string) []domain.Made { return made }
	only := access.Demanded
	for name, c := range map[string]struct {
		rule ruleset
		w    world
	}{
		"the maker's maker is nobody": {ruleset{linked: func(made []domain.Made, ids []string) []domain.Made {
			return slices.DeleteFunc(slices.Clone(made), func(m domain.Made) bool { return !slices.Contains(ids, m.Person) })
		}, demanded: only, steps: 4}, newWorld(admin, a, r)},
		"nobody makes anybody": {ruleset{linked: func([]domain.Made, []string) []domain.Made { return nil },
			demanded: only, steps: 3}, newWorld(admin, a, r)},
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
