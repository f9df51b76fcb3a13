"""computes in R, with the packages that belong to it"""

NEEDS = {"Rscript": "r-base-core"}
ACT = """printf 'd <- data.frame(x = 1:5, y = 2 * (1:5))\\nm <- lm(y ~ x, d)\\nwrite.csv(d, "d.csv")\\ncat(round(coef(m)[[2]], 6), nrow(read.csv("d.csv")), median(d$y), "\\\\n")\\n' > m.R && Rscript m.R"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["2", "5", "6"] and done.err.count("not found") == 0
