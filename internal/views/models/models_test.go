package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/model"
	"sanad/internal/views/models"
	"sanad/internal/views/viewtest"
)

// TestBudgetUsedUp: the page says so once not one more question of the usual size fits into the day, and not before.
func TestBudgetUsedUp(t *testing.T) {
	for name, x := range map[string]struct {
		day   model.Budget
		spent model.Spending
		want  bool
	}{
		"no bound":      {spent: model.Spending{Calls: 9, TokensIn: 1 << 40}},
		"nothing spent": {day: model.Budget{Tokens: 1000}},
		"half":          {day: model.Budget{Tokens: 1000}, spent: model.Spending{Calls: 5, TokensIn: 500}},
		"one more fits": {day: model.Budget{Tokens: 1000}, spent: model.Spending{Calls: 9, TokensIn: 900}, want: false},
		"none fits":     {day: model.Budget{Tokens: 1000}, spent: model.Spending{Calls: 9, TokensIn: 950}, want: true},
		"over":          {day: model.Budget{Tokens: 1000}, spent: model.Spending{Calls: 1, TokensIn: 1100}, want: true},
		"cost":          {day: model.Budget{Cost: 1000}, spent: model.Spending{Calls: 2, TokensIn: 1, Cost: 1000}, want: true},
	} {
		e := model.Endpoint{ID: "m", Name: "n", Kind: model.OpenAI, Day: x.day, Price: model.Price{In: 1}}
		p := models.NewPage(viewtest.ChromeAt("en", "/admin/models/m"), models.PageInput{Endpoint: e, Today: x.spent, Form: models.FormOf(&e)})
		require.Equal(t, x.want, p.UsedUp != "", name)
		require.Equal(t, x.want, strings.Contains(viewtest.Html(t, models.Show(p)), "budget is used up"), name)
	}
}
