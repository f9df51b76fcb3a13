#include "instructions/invisible_style.h"

#include <gtest/gtest.h>

namespace ringwall::instructions {
namespace {

TEST(InvisibleStyle, IsToldFromWhatIsShown) {
  for (std::string_view style : {"display:none",
                                 "COLOR: White",
                                 "color:#fefefe",
                                 "color:#ffff",
                                 "color:rgb(255 255 255)",
                                 "color:rgba(1,2,3,0.01)",
                                 "color:hsl(10, 5%, 98%)",
                                 "color:#123;background:#112233",
                                 "opacity:.01",
                                 "opacity: 0%",
                                 "font-size:0.1px",
                                 "font-size:1%",
                                 "clip-path:inset(50%)",
                                 "left:-9999px",
                                 "width:1px;overflow:hidden",
                                 "dis/**/play:none",
                                 "displ\\61y:none",
                                 "text-indent:-99em",
                                 "left:-100vw",
                                 "transform: scale( 0.01 )",
                                 "clip: rect( 0 0 0 0)",
                                 "max-height:0",
                                 "height:1px;overflow:clip",
                                 "color:transparent;background:#000"})
    EXPECT_TRUE(hides_text(style)) << style;
  for (std::string_view style : {"",
                                 "color:#fff;background:#000",
                                 "color:#333",
                                 "opacity:0.9",
                                 "font-size:90%",
                                 "font-size:1em",
                                 "font-size:12px",
                                 "clip-path:inset(1%)",
                                 "left:-10px",
                                 "width:0",
                                 "color:hsl(10, 5%, 20%)",
                                 "color:rgb(255,0,0)",
                                 "color:var(--text)",
                                 "color:#ff",
                                 "background-color:white",
                                 "transform:scale(0.9)",
                                 "text-indent:-1.5em",
                                 "left:-9px",
                                 "border-width:0;",
                                 "clip-path:circle(50%)"})
    EXPECT_FALSE(hides_text(style)) << style;
}

}  // namespace
}  // namespace ringwall::instructions
