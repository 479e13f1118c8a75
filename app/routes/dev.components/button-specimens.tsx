import { Button, ButtonLink } from "~/ui/button";
import { PlusIcon } from "~/ui/icons";
import { Link } from "~/ui/link";
import { Row, Specimens } from "./specimen";

/** The buttons as `components-1280.png` shows them. */
export function Buttons() {
  return (
    <Specimens name="Button" note="primary, secondary, quiet, danger; hover, focus, disabled, busy">
      <Row>
        <Button type="button" variant="primary">
          Create Post
        </Button>
        <Button type="button" variant="primary" data-show="hover">
          Hover
        </Button>
        <Button type="button" variant="primary" data-show="focus-visible">
          Focus
        </Button>
        <Button type="button" variant="primary" disabled>
          Disabled
        </Button>
      </Row>
      <Row>
        <Button type="button">Contact</Button>
        <Button type="button" data-show="hover">
          Hover
        </Button>
        <Button type="button" data-show="focus-visible">
          Focus
        </Button>
        <Button type="button" variant="quiet">
          Cancel
        </Button>
        <Button type="button" variant="danger">
          Delete Post
        </Button>
      </Row>
      <Row>
        <Button type="button" variant="primary" busy busyLabel="Saving">
          Save Profile
        </Button>
      </Row>
    </Specimens>
  );
}

/** Variants that the picture doesn't show. */
export function MoreButtons() {
  return (
    <Specimens name="More buttons" note="quiet, danger and the confirming step; busy; icon, link, sizes, long words">
      <Row>
        <Button type="button" variant="quiet" data-show="hover">
          Hover
        </Button>
        <Button type="button" variant="quiet" data-show="focus-visible">
          Focus
        </Button>
        <Button type="button" variant="danger" data-show="hover">
          Hover
        </Button>
        <Button type="button" variant="danger" data-show="focus-visible">
          Focus
        </Button>
        <Button type="button" variant="danger" disabled>
          Disabled
        </Button>
      </Row>
      <Row>
        <Button type="button" variant="danger-filled">
          Delete Post
        </Button>
        <Button type="button" variant="danger-filled" data-show="focus-visible">
          Focus
        </Button>
        <Button type="button" variant="danger-filled" busy busyLabel="Deleting">
          Delete Post
        </Button>
        <Button type="button" busy busyLabel="Sending">
          Send Message
        </Button>
      </Row>
      <Row>
        <ButtonLink to="/dev/components" variant="primary">
          <PlusIcon />
          Create Post
        </ButtonLink>
        <Button type="button" size="row">
          Contact
        </Button>
        <Button type="button" size="row" variant="quiet">
          Close Post
        </Button>
        <Link to="/dev/components" className="link">
          Link
        </Link>
        <Link to="/dev/components" className="link" data-show="hover">
          Hover
        </Link>
        <Link to="/dev/components" className="link" data-show="focus-visible">
          Focus
        </Link>
      </Row>
      <Row>
        <ButtonLink to="/dev/components" variant="primary" size="landing">
          Get Started
        </ButtonLink>
        <ButtonLink to="/dev/components" size="landing">
          Sign In
        </ButtonLink>
        <span className="on-spot-area bg-spot p-3">
          <ButtonLink
            to="/dev/components"
            size="landing"
            className="border-on-spot! bg-on-spot! text-spot!"
            data-show="focus-visible"
          >
            Focus
          </ButtonLink>
        </span>
      </Row>
      <Button type="button" className="w-full max-w-[280px]">
        Words that are longer than the button is wide go on in a second line
      </Button>
    </Specimens>
  );
}
