package search

import (
	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/domain/text"
	searchviews "sanad/internal/views/search"
)

// mostNames is how many people of a tenant a search looks through.
const mostNames = 2000

// onlyWords reports whether packs, decisions and people are searched too: filters of texts leave them out.
func onlyWords(in *searchviews.FindInput) bool {
	return in.Asked && in.Verdict == "" && in.State == "" && in.From.IsZero() && in.To.IsZero()
}

// foundBeside are packs, and decisions that lack a pack, before it is asked whether the reader may read them.
type foundBeside struct {
	packs     []pack.Row
	next      string
	decisions []pack.DecisionRow
}

// reads returns the reads of packs and decisions.
func (f *foundBeside) reads(s *server, in *searchviews.FindInput) []func(echo.Context) error {
	return []func(echo.Context) error{func(c echo.Context) (err error) {
		f.packs, f.next, err = s.Store.Packs(c.Request().Context(), s.Who(c).Tenant,
			pack.Query{Text: in.Text, Near: in.Near, Limit: foundPerGroup})
		return err
	}, func(c echo.Context) (err error) {
		f.decisions, _, err = s.Store.Decisions(c.Request().Context(), s.Who(c).Tenant,
			pack.DecisionQuery{Text: in.Text, Near: in.Near, Missing: true, Limit: foundPerGroup})
		return err
	}}
}

// beside adds the packs, with why they were found, and the decisions that the reader may read and, for those who manage them, finds people.
func (s *server) beside(c echo.Context, in *searchviews.FindInput, f *foundBeside) error {
	may := s.ReadablePack(c)
	for i := range f.packs {
		ok, err := may(f.packs[i].PackID, f.packs[i].SessionID)
		if err != nil {
			return err
		}
		if ok {
			in.Packs = append(in.Packs, f.packs[i])
		}
	}
	in.MorePacks = f.next != ""
	var ids []string
	for i := range in.Packs {
		ids = append(ids, in.Packs[i].PackID)
	}
	var err error
	in.PackExcerpts, err = s.Store.PackExcerpts(c.Request().Context(), s.Who(c).Tenant,
		&pack.Query{Text: in.Text, Near: in.Near}, ids)
	if err != nil {
		return err
	}
	for i := range f.decisions {
		if err := s.MayReadLedger(c, f.decisions[i].SessionID); domain.KindOf(err) == domain.NotFound {
			continue
		} else if err != nil {
			return err
		}
		in.Decisions = append(in.Decisions, f.decisions[i])
	}
	return s.people(c, in)
}

// people finds members by name, for those who may manage them.
func (s *server) people(c echo.Context, in *searchviews.FindInput) error {
	tenant := s.Who(c).Tenant
	may, err := s.May(c, access.ManageUsers, access.Object{Kind: "tenant", ID: tenant})
	if err != nil || !may {
		return err
	}
	names, err := s.Store.MemberNames(c.Request().Context(), tenant, mostNames)
	if err != nil {
		return err
	}
	least, called := text.BeginsWords, text.NewNaming(in.Text)
	if in.Near == text.NearWords {
		least = text.OneLetterOff
	}
	for _, n := range names {
		if len(in.People) < foundPerGroup && called.Like(n.Name) >= least {
			in.People = append(in.People, n)
		}
	}
	return nil
}
