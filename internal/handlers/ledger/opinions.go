package ledger

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/agreement"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
)

// claimsPerOpinions is how many claims a page of opinions shows.
const claimsPerOpinions = 50

// showOpinions shows what several judges and people said of a session's claims, side by side.
func (s *server) showOpinions(c echo.Context) error {
	after, err := web.NumberAfter(c)
	if err != nil {
		return err
	}
	q := agreement.Question{Differ: c.QueryParam("differ") == "1", After: after - 1, Limit: claimsPerOpinions}
	o, err := s.Store.SecondOpinion(c.Request().Context(), s.Who(c).Tenant, c.Param("id"), q)
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, ledgerviews.Opinions(ledgerviews.NewOpinionsPage(s.Chrome(c),
		ledgerviews.OpinionsInput{SecondOpinion: o, Question: q})))
}

// apiRater is who gave verdicts: a judge, or people, for whom all four are null.
type apiRater struct {
	Judge   *string `json:"judge"`
	Version *string `json:"version"`
	Model   *string `json:"model"`
	Reader  *string `json:"reader"`
}

func newAPIRater(r agreement.Rater) apiRater {
	return apiRater{
		Judge: web.OrNull(r.Judge), Version: web.OrNull(r.Version), Model: web.OrNull(r.Model), Reader: web.OrNull(r.Reader),
	}
}

// apiOpinion is what one rater said of a claim.
type apiOpinion struct {
	apiRater

	Verdict ledger.Verdict `json:"verdict"`
}

// apiOpinions is a claim with what each said of it.
type apiOpinions struct {
	Number   int          `json:"number"`
	ClaimID  string       `json:"claim_id"`
	Text     string       `json:"claim_text"`
	Differ   bool         `json:"differ"`
	Opinions []apiOpinion `json:"opinions"`
}

// apiListOpinions lists the claims of a session with what judges and people said of each.
func (s *server) apiListOpinions(c echo.Context) error {
	limit, err := web.ListLimit(c)
	if err != nil {
		return err
	}
	after, err := web.NumberAfter(c)
	if err != nil {
		return err
	}
	differ, err := web.ListBool(c, "differ")
	if err != nil {
		return err
	}
	o, err := s.Store.SecondOpinion(c.Request().Context(), s.Who(c).Tenant, c.Param("id"),
		agreement.Question{Differ: differ, After: after - 1, Limit: limit})
	if err != nil {
		return err
	}
	rows := web.Map(o.Rows, func(r agreement.Row) apiOpinions {
		out := apiOpinions{Number: r.Position + 1, ClaimID: r.Key, Text: r.Text, Differ: r.Differs, Opinions: []apiOpinion{}}
		for i, v := range r.Verdicts {
			if v.Valid() {
				out.Opinions = append(out.Opinions, apiOpinion{newAPIRater(o.Raters[i].Rater), v})
			}
		}
		return out
	})
	return web.SendPage(c, "claims", rows, nextNumber(o.Next+1))
}

// apiAgreements is how far judges and people agree on a session.
type apiAgreements struct {
	Runs      int             `json:"runs"`
	Read      int             `json:"runs_read"`
	Claims    int             `json:"claims"`
	Cut       bool            `json:"more"`
	Differing int             `json:"differing"`
	Raters    []apiRaterCount `json:"raters"`
	Pairs     []apiRaterPair  `json:"pairs"`
}

type apiRaterCount struct {
	apiRater

	Claims int `json:"claims"`
}

// apiRaterPair compares two of them.
type apiRaterPair struct {
	First  apiRater           `json:"first"`
	Second apiRater           `json:"second"`
	All    apiRaterTable      `json:"all"`
	ByType []apiTypeTable     `json:"by_type"`
	ByLang []apiLanguageTable `json:"by_language"`
}

type apiTypeTable struct {
	Type ledger.ClaimType `json:"claim_type"`
	apiRaterTable
}

type apiLanguageTable struct {
	Lang string `json:"language"`
	apiRaterTable
}

// apiRaterTable is a table of verdicts with its figures.
type apiRaterTable struct {
	Both   int              `json:"both"`
	Same   int              `json:"same"`
	Low    float64          `json:"agreement_low"`
	High   float64          `json:"agreement_high"`
	Kappa  *float64         `json:"kappa"`
	Matrix []apiVerdictPair `json:"matrix"`
}

type apiVerdictPair struct {
	First  ledger.Verdict `json:"first_verdict"`
	Second ledger.Verdict `json:"second_verdict"`
	Claims int            `json:"claims"`
}

func newAPIRaterTable(t ledger.Table) apiRaterTable {
	a := t.Agreement()
	out := apiRaterTable{Both: a.Both, Same: a.Same, Kappa: a.Kappa, Matrix: []apiVerdictPair{}}
	out.Low, out.High = agreement.Share{Part: a.Same, Of: a.Both}.Interval()
	for _, x := range ledger.Verdicts {
		for _, y := range ledger.Verdicts {
			if n := t.At(x, y); n > 0 {
				out.Matrix = append(out.Matrix, apiVerdictPair{x, y, n})
			}
		}
	}
	return out
}

// apiShowAgreement returns how far judges and people agree on a session.
func (s *server) apiShowAgreement(c echo.Context) error {
	o, err := s.Store.SecondOpinion(c.Request().Context(), s.Who(c).Tenant, c.Param("id"), agreement.Question{Limit: 1})
	if err != nil {
		return err
	}
	out := apiAgreements{Runs: o.Runs, Read: o.Read, Claims: o.Claims, Cut: o.Cut, Differing: o.Differing}
	out.Raters = web.Map(o.Raters, func(r agreement.RaterCount) apiRaterCount {
		return apiRaterCount{newAPIRater(r.Rater), r.Claims}
	})
	out.Pairs = web.Map(o.Pairs, func(p agreement.Pair) apiRaterPair {
		return apiRaterPair{First: newAPIRater(p.A), Second: newAPIRater(p.B), All: newAPIRaterTable(p.Table),
			ByType: web.Map(p.ByType, func(x agreement.Part) apiTypeTable {
				return apiTypeTable{ledger.ClaimType(x.Name), newAPIRaterTable(x.Table)}
			}),
			ByLang: web.Map(p.ByLang, func(x agreement.Part) apiLanguageTable { return apiLanguageTable{x.Name, newAPIRaterTable(x.Table)} })}
	})
	return web.SendJSON(c, http.StatusOK, out)
}
