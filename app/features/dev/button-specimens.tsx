import { Button, ButtonLink } from "~/ui/button";
import { PlusIcon } from "~/ui/icons";
import { FOCUS_LOOK, Row, Specimens } from "./specimen";

/** Buttons as in `components-1280.png`. */
export function Buttons() {
  return (
    <Specimens title="Buttons">
      <Row>
        <Button type="button" variant="primary">
          Create Post
        </Button>
        <Button type="button" variant="primary" className="bg-spot-hover!">
          Hover
        </Button>
        <Button type="button" variant="primary" className={FOCUS_LOOK}>
          Focus
        </Button>
        <Button type="button" variant="primary" disabled>
          Disabled
        </Button>
      </Row>
      <Row>
        <Button type="button">Contact</Button>
        <Button type="button" className="bg-raised">
          Hover
        </Button>
        <Button type="button" className={FOCUS_LOOK}>
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

/** What that picture leaves out. */
export function MoreButtons() {
  return (
    <Specimens title="Buttons: the confirming step, icons, links, sizes">
      <Row>
        <Button type="button" variant="danger-filled">
          Delete Post
        </Button>
        <Button type="button" variant="danger-filled" busy busyLabel="Deleting">
          Delete Post
        </Button>
        <Button type="button" busy busyLabel="Sending">
          Send Message
        </Button>
        <Button type="button" disabled>
          Verify
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
      </Row>
      <Row>
        <ButtonLink to="/dev/components" variant="primary" size="landing">
          Get Started
        </ButtonLink>
        <ButtonLink to="/dev/components" size="landing">
          Sign In
        </ButtonLink>
      </Row>
    </Specimens>
  );
}
