package numberformat

// builtin are the format codes that files name by number only (ECMA-376, part 1, 18.8.30). Those that show a currency
// take that of the computer, which the file does not say: they have none here. Numbers of dates of East Asia are dates.
var builtin = map[int]string{
	1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: "#,##0;-#,##0", 6: "#,##0;-#,##0", 7: "#,##0.00;-#,##0.00",
	8: "#,##0.00;-#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??", 14: "mm-dd-yy",
	15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
	22: "m/d/yy h:mm", 37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00",
	41: `#,##0;-#,##0;"-"`, 42: `#,##0;-#,##0;"-"`, 43: `#,##0.00;-#,##0.00;"-"`, 44: `#,##0.00;-#,##0.00;"-"`,
	45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
}

// Builtin returns the code of a number; "" for General.
func Builtin(id int) string {
	if id >= 27 && id <= 36 || id >= 50 && id <= 58 {
		return builtin[14]
	}
	return builtin[id]
}
